package store

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/zeebo/blake3"

	"tlog/objects"
)

// Sizes of a project's folder name, in bytes.
const (
	hashLen = 12                // hex digits
	maxSlug = 100 - hashLen - 1 // with the hash and its dash the name has at most 100 bytes
)

// Project is the name of the folder for a working folder, whose symlinks are resolved here. cwd need
// not exist any more. A path of Windows, which a session from there may name,
// is taken as it stands. The error wraps objects.ErrInvalid for any other path that is not absolute, and for one that the system cannot take.
func Project(cwd string) (name, resolved string, err error) {
	switch {
	case filepath.IsAbs(cwd):
		resolved, err = resolve(cwd)
		if err != nil && impossible(cwd, err) {
			err = fmt.Errorf("%w: %w", objects.ErrInvalid, err)
		}
		if err != nil {
			return "", "", fmt.Errorf("working folder %q: %w", cwd, err)
		}
	case isWindowsPath(cwd):
		resolved = cwd
	default:
		return "", "", fmt.Errorf("working folder %q: %w: expected an absolute path", cwd, objects.ErrInvalid)
	}
	sum := blake3.Sum256([]byte(resolved))
	return slug(resolved) + "-" + hex.EncodeToString(sum[:])[:hashLen], resolved, nil
}

// isWindowsPath reports whether path begins with a drive or a server of Windows.
func isWindowsPath(path string) bool {
	if strings.HasPrefix(path, `\\`) {
		return true
	}
	return len(path) >= 3 && path[1] == ':' && (path[2] == '\\' || path[2] == '/') &&
		'a' <= path[0]|0x20 && path[0]|0x20 <= 'z'
}

// maxPath is the length in bytes from which on no system that has symlinks takes a path.
const maxPath = 4096

// resolve resolves the symlinks of an absolute path, as far as the path exists.
func resolve(path string) (string, error) {
	path = filepath.Clean(path)
	at := path
	if len(at) > maxPath { // what is longer is nowhere, and would be tried folder by folder
		at = filepath.Dir(at[:maxPath])
	}
	for ; ; at = filepath.Dir(at) {
		real, err := filepath.EvalSymlinks(at)
		switch {
		case err == nil:
			return filepath.Join(real, path[len(at):]), nil
		case at == filepath.Dir(at):
			return path, nil
		case !missing(err):
			return "", err
		}
	}
}

// missing reports whether err says that a path leads nowhere, so that only the
// folders above it can be resolved.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) ||
		errors.Is(err, syscall.ENAMETOOLONG) || errors.Is(err, fs.ErrPermission)
}

// impossible reports whether err says that there can be no such path, or none that ends: others may pass.
func impossible(path string, err error) bool {
	var number syscall.Errno
	return strings.ContainsRune(path, 0) || !errors.As(err, &number) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ELOOP)
}

// slug is the readable part of a project's folder name: as many of the last
// folders of the path as fit, joined by dashes, characters other than
// [A-Za-z0-9._-] replaced. It need not be unique, the hash behind it is.
func slug(path string) string {
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
	out := ""
	for i := len(parts) - 1; i >= 0; i-- {
		part := strings.Trim(strings.Map(slugRune, parts[i]), "-.")
		switch {
		case part == "":
			continue
		case out == "" && len(part) > maxSlug:
			return strings.Trim(part[len(part)-maxSlug:], "-.")
		case out == "":
			out = part
		case len(part)+1+len(out) > maxSlug:
			return out
		default:
			out = part + "-" + out
		}
	}
	if out == "" {
		return "root"
	}
	return out
}

// slugRune is what stands for r in a slug, one byte.
func slugRune(r rune) rune {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '.', r == '_', r == '-':
		return r
	}
	return '-'
}
