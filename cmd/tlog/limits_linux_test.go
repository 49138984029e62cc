package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// skipShort skips tests that start many processes, whose goroutines the race detector has seen elsewhere.
func skipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts the command many times")
	}
}

// limited is the built command with its store on a small file system of its own.
type limited struct {
	built
	disk string
}

// onSmallDisk makes a file system of the size and puts the store there. Only root can do that.
func onSmallDisk(t *testing.T, size string) limited {
	t.Helper()
	l := limited{built: build(t)}
	l.disk = filepath.Join(l.dir, ".data")
	if err := os.Mkdir(l.disk, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", l.disk, "tmpfs", 0, "size="+size); errors.Is(err, unix.EPERM) {
		t.Skip("to make a small file system takes root")
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(l.disk, 0); err != nil {
			t.Errorf("unmount: %v", err)
		}
	})
	return l
}

// remount gives the file system other options.
func (l limited) remount(flags uintptr, options string) {
	l.t.Helper()
	if err := unix.Mount("tmpfs", l.disk, "tmpfs", unix.MS_REMOUNT|flags, options); err != nil {
		l.t.Fatal(err)
	}
}

// ends runs a command and returns what it printed and its exit code.
func (b built) ends(args, stdin string) (code int, stdout, stderr string) {
	b.t.Helper()
	return b.endsAs(b.command(b.t.Context(), args), stdin)
}

func (b built) endsAs(cmd *exec.Cmd, stdin string) (code int, stdout, stderr string) {
	b.t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		b.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// onlyLog is the file of the only session in the store.
func (b built) onlyLog() string {
	b.t.Helper()
	files, err := filepath.Glob(filepath.Join(b.dir, ".data", "tlog", "projects", "*", "*.jsonl"))
	if err != nil || len(files) != 1 {
		b.t.Fatalf("%v, %v", files, err)
	}
	return files[0]
}

// mustFailIO runs a command that the operating system refuses: exit code 8, one line that says of which file and why, no id.
func (b built) mustFailIO(args, stdin, why string) {
	b.t.Helper()
	code, out, errs := b.ends(args, stdin)
	if code != exitIO || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, why) || !strings.Contains(errs, b.dir) {
		b.t.Errorf("tlog %s: exit code %d, output %q, said %q; want 8, nothing, and a line with the file and %q", args, code, out, errs, why)
	}
}

// noTemporaries fails the test if a file stands in the store that is none of its own.
func (b built) noTemporaries() {
	b.t.Helper()
	err := filepath.WalkDir(filepath.Join(b.dir, ".data"), func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() && strings.Contains(e.Name(), "tmp") {
			b.t.Errorf("a temporary file stayed behind: %s", path)
		}
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

func message(text string) string { return fmt.Sprintf(`{"role":"user","content":%q}`+"\n", text) }

// TestSmallDisk fills a disk (docs/reliability.md "What is promised"): what was acknowledged is there, commands that read go on, and the
// next append after the disk has room again stands on a line of its own.
func TestSmallDisk(t *testing.T) {
	skipShort(t)
	b := onSmallDisk(t, "256k")
	b.run("new", "")
	acknowledged := []string{strings.TrimSpace(b.run("append", message("one")))}
	noise := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		text := make([]byte, 21_000) // nothing can be made of it that is shorter, and none is like another
		for i := range text {
			text[i] = byte('0' + noise.IntN(64))
		}
		code, out, errs := b.ends("append", message(string(text)))
		if code == exitOK {
			acknowledged = append(acknowledged, strings.TrimSpace(out))
			continue
		}
		if code != exitIO || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, ".jsonl") || !strings.Contains(errs, "no space left") {
			t.Fatalf("exit code %d, output %q, said %q", code, out, errs)
		}
		break
	}
	if n := len(acknowledged); n < 3 || n > 12 {
		t.Fatalf("%d appends of 21 kB found room in 256 kB", n)
	}
	holds := func(when string) {
		t.Helper()
		shown := b.run("log --json --all", "")
		for _, id := range acknowledged {
			if !strings.Contains(shown, `"id":"`+id+`"`) {
				t.Errorf("%s: %s was acknowledged and is not there", when, id)
			}
		}
		if code, findings, _ := b.ends("fsck", ""); code != exitOK && (strings.Count(findings, "\n") != 1 || !strings.Contains(findings, "torn-tail") && !strings.Contains(findings, "bad-line")) {
			t.Errorf("%s: fsck ends with %d and says %s", when, code, findings)
		}
	}
	holds("full")
	for _, args := range []string{"log --oneline", "show HEAD", "status", "branch", "sessions", "context", "diff HEAD~1 HEAD", "verify"} {
		b.run(args, "")
	}
	transcript := filepath.Join(projectRoot, "testdata", "attempts")
	if abs, err := filepath.Abs(transcript); err != nil {
		t.Fatal(err)
	} else if code, out, errs := b.ends("import "+abs, ""); code == exitOK || out != "" || !strings.Contains(errs, "no space left") {
		t.Errorf("import on a full disk: exit code %d, output %q, said %q", code, out, errs)
	}
	b.noTemporaries()
	holds("after an import that found no room")
	b.remount(0, "size=4m")
	acknowledged = append(acknowledged, strings.TrimSpace(b.run("append", message("after"))))
	holds("with room again")
	if shown := b.run("show HEAD", ""); !strings.Contains(shown, "after") {
		t.Errorf("the entry that found room again is not HEAD: %s", shown)
	}
	b.run("import "+mustAbs(t, transcript), "")
	b.noTemporaries()
}

func mustAbs(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

// TestReadOnlyDisk: commands that read need no write anywhere, those that write say that they cannot and leave all as it was.
func TestReadOnlyDisk(t *testing.T) {
	skipShort(t)
	b := onSmallDisk(t, "1m")
	b.run("new", "")
	b.run("append", message("one"))
	b.run("append", message("two"))
	b.remount(unix.MS_RDONLY, "size=1m")
	for _, args := range []string{"log", "show", "status", "branch", "sessions --all", "reflog", "context", "rev-parse HEAD~1", "fsck", "verify", "cat-file -p HEAD"} {
		b.run(args, "")
	}
	for _, args := range []string{"append", "append --stream", "undo", "checkout -b other", "branch other", "label here", "new"} {
		b.mustFailIO(args, message("three"), "read-only file system")
	}
	b.remount(0, "size=1m")
	b.run("append", message("three"))
	b.noTemporaries()
}

// TestFileSizeLimit: a limit on files, as a shell or a service sets it, is an error and no crash.
func TestFileSizeLimit(t *testing.T) {
	skipShort(t)
	b := build(t)
	b.run("new", "")
	first := strings.TrimSpace(b.run("append", message("one")))
	cmd := exec.CommandContext(t.Context(), "sh", "-c", `ulimit -f 8 && exec "$0" append`, b.bin) // blocks of 512 or 1024 bytes
	cmd.Dir, cmd.Env = b.dir, b.env
	code, out, errs := b.endsAs(cmd, message(strings.Repeat("x", 20_000)))
	if code != exitIO || out != "" || !strings.Contains(errs, "file too large") || strings.Count(errs, "\n") != 1 {
		t.Errorf("exit code %d, output %q, said %.300q", code, out, errs)
	}
	b.run("append", message("two"))
	if shown := b.run("log --oneline", ""); !strings.Contains(shown, "two") || !strings.Contains(b.run("log --json", ""), first) {
		t.Errorf("after the limit: %s", shown)
	}
}

// TestNoPermission runs the command as somebody to whom the store is closed, or only open to read.
func TestNoPermission(t *testing.T) {
	skipShort(t)
	b := build(t)
	b.run("new", "")
	b.run("append", message("one"))
	as := func(args string) *exec.Cmd { return b.command(t.Context(), args) }
	if os.Getuid() == 0 { // to root nothing is closed
		stranger := &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		public := publicCopy(t, b)
		as = func(args string) *exec.Cmd {
			cmd := public.command(t.Context(), args)
			cmd.SysProcAttr = stranger
			return cmd
		}
		b = public
	}
	files, err := filepath.Glob(filepath.Join(b.dir, ".data", "tlog", "projects", "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, mode := range []os.FileMode{0o555, 0o000} {
		if err := os.Chmod(files[0], mode); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(files[0], 0o700) })
		for args, reads := range map[string]bool{"log": true, "status": true, "append": false, "new": false} {
			code, out, errs := b.endsAs(as(args), message("two"))
			if reads && mode == 0o555 {
				if code != exitOK {
					t.Errorf("%s in a folder of mode %#o: exit code %d, said %q", args, mode, code, errs)
				}
				continue
			}
			if code != exitIO || out != "" || !strings.Contains(errs, "permission denied") {
				t.Errorf("%s in a folder of mode %#o: exit code %d, output %q, said %q", args, mode, code, out, errs)
			}
		}
	}
}

// publicCopy is the command and its store in a folder that everybody can enter.
func publicCopy(t *testing.T, b built) built {
	t.Helper()
	dir, err := os.MkdirTemp("", "tlog-public")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	public := built{t: t, bin: filepath.Join(dir, "tlog"), dir: filepath.Join(dir, "work")}
	program, err := os.ReadFile(b.bin)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(public.bin, program, 0o755), os.Mkdir(public.dir, 0o755), os.Chmod(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	if public.env, err = projectEnv(public.dir); err != nil {
		t.Fatal(err)
	}
	public.run("new", "")
	public.run("append", message("one"))
	err = filepath.WalkDir(public.dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return errors.Join(err, os.Chmod(path, 0o755))
		}
		return os.Chmod(path, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return public
}

// TestFileGoneUnderUs: a log that is removed, cut short or replaced while a stream is written to it is noticed before anything is acknowledged.
func TestFileGoneUnderUs(t *testing.T) {
	skipShort(t)
	for name, harm := range map[string]func(file string) error{
		"removed":   os.Remove,
		"truncated": func(file string) error { return os.Truncate(file, 100) },
		"emptied":   func(file string) error { return os.Truncate(file, 0) },
		"replaced": func(file string) error {
			return errors.Join(os.WriteFile(file+".new", []byte(`{"type":"session","version":3,"id":"another"}`+"\n"), 0o600), os.Rename(file+".new", file))
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := build(t)
			b.run("new", "")
			b.run("append", message("one"))
			file := b.onlyLog()
			cmd := b.command(t.Context(), "append --stream")
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			var errs bytes.Buffer
			cmd.Stderr = &errs
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			answers := bufio.NewReader(out)
			if _, err := in.Write([]byte(message("two"))); err != nil {
				t.Fatal(err)
			}
			if answer, err := answers.ReadString('\n'); err != nil || !strings.Contains(answer, `"id":"`) {
				t.Fatalf("answer %q, %v", answer, err)
			}
			if err := harm(file); err != nil {
				t.Fatal(err)
			}
			if _, err := in.Write([]byte(message("three"))); err != nil {
				t.Fatal(err)
			}
			answer, _ := answers.ReadString('\n')
			_ = in.Close()
			err = cmd.Wait()
			if err == nil || strings.Contains(answer, `"id":"`) {
				t.Errorf("the stream went on: answer %q, said %q", answer, &errs)
			}
			if said := answer + errs.String(); !strings.Contains(said, filepath.Base(file)) {
				t.Errorf("nothing names the file: %q", said)
			}
		})
	}
}
