package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"tlog/log"
	"tlog/objects"
)

// configName is the file at the store's root that holds its settings, `name = value` a line.
const configName = "config"

// Config are the settings of a store. The zero value is what counts where nothing is set.
type Config struct {
	Blobs log.BlobOptions // blobs.threshold
}

// settings are what a config may set. An error says what is expected.
var settings = map[string]func(c *Config, value string) error{
	"blobs.threshold": func(c *Config, value string) (err error) {
		c.Blobs.Threshold, err = ParseThreshold(value)
		return err
	},
}

// ParseThreshold reads the length, in bytes, up to which a string stays in its line: a number above 0, or "off" for strings of
// any length. The error wraps objects.ErrInvalid.
func ParseThreshold(value string) (int, error) {
	if value == "off" {
		return -1, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%w value %.40q: expected a number of bytes above 0, or off", objects.ErrInvalid, value)
	}
	return n, nil
}

// Config reads the settings of the store; there need be none. The error wraps objects.ErrInvalid and names the line.
func (s *Store) Config() (Config, error) {
	path := filepath.Join(s.root, configName)
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Config{}, nil
	case err != nil:
		return Config{}, fmt.Errorf("read config: %w", err)
	}
	var c Config
	number := 0
	for line := range bytes.Lines(data) {
		number++
		text := strings.TrimSpace(string(line))
		if text == "" || text[0] == '#' {
			continue
		}
		name, value, _ := strings.Cut(text, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		set, known := settings[name]
		if !known {
			return Config{}, fmt.Errorf("%s:%d: %w name %.80q", path, number, objects.ErrInvalid, name)
		}
		if err := set(&c, value); err != nil {
			return Config{}, fmt.Errorf("%s:%d: %s: %w", path, number, name, err)
		}
	}
	return c, nil
}
