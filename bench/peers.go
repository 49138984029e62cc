package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"tlog/blobs/disk"
	"tlog/checkout"
	"tlog/objects"
)

// repository makes a git repository of so many commits, on ten branches, unless it is there.
func repository(dir string, commits int) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := command(".", "git", "init", "-q", "--bare", dir); err != nil {
		return err
	}
	cmd := exec.Command("git", "-C", dir, "fast-import", "--quiet")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	w := bufio.NewWriter(in)
	const branches = 10
	for i := range commits {
		branch := i * branches / commits
		name := "refs/heads/b" + strconv.Itoa(branch)
		if branch == 0 {
			name = "refs/heads/master" // which HEAD of a new repository names
		}
		fmt.Fprintf(w, "commit %s\nmark :%d\ncommitter a <a@b> %d +0000\ndata 6\nabcdef\n", name, i+1, 1_700_000_000+i)
		if i > 0 && i*branches/commits != (i-1)*branches/commits {
			fmt.Fprintf(w, "from :%d\n", i-i/20) // an attempt begins in what there is
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := in.Close(); err != nil {
		return err
	}
	return cmd.Wait()
}

func countLines(file string) (n int, err error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	buffer := make([]byte, 1<<20)
	for {
		read, err := f.Read(buffer)
		n += bytes.Count(buffer[:read], []byte{'\n'})
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

// piRow compares with pi's session manager, which opens the file.
func piRow(opt options, tlog []string, file string) row {
	node := os.Getenv("TLOG_NODE")
	if node == "" {
		node = "node"
	}
	script := "const {SessionManager} = await import(process.argv[1]); SessionManager.open(process.argv[2]);"
	module := filepath.Join(opt.pi, "dist", "index.js")
	return row{
		what: "`log -n 20`", tlog: tlog, bound: 1.0 / 20, slow: true, beside: "pi's session manager opens it",
		peer: []string{node, "--max-old-space-size=8192", "--input-type=module", "-e", script, module, file},
	}
}

// join writes the lines of all transcripts below a folder into one file, but for those that are no JSON: jq ends at the first of them.
func join(folder, file string) (err error) {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	defer func() { err = errors.Join(err, w.Flush(), f.Close()) }()
	return filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		data, err := os.ReadFile(path)
		for line := range bytes.Lines(data) {
			if objects.Valid(bytes.TrimSpace(line)) {
				_, _ = w.Write(line) // Flush tells
			}
		}
		return err
	})
}

// corpusRow compares the import of a folder of transcripts with jq over the same lines.
func corpusRow(opt options, self, tlog string) (row, error) {
	all := filepath.Join(opt.dir, "corpus.jsonl")
	if err := command(".", self, "join", opt.corpus, all); err != nil {
		return row{}, err
	}
	info, err := os.Stat(all)
	if err != nil {
		return row{}, err
	}
	script := `rm -rf "$1" && XDG_DATA_HOME="$1" "$0" import -q "$2"`
	return row{
		what: "`import` of " + strconv.FormatInt(info.Size()/1e6, 10) + " MB of transcripts", bound: 1.0 / 5, slow: true,
		tlog: []string{"sh", "-c", script, tlog, filepath.Join(opt.dir, "store"), opt.corpus},
		peer: []string{"jq", "-c", ".", all},
	}, nil
}

// appends measures durable appends through the library beside a bare write and fdatasync of as many bytes, and eight writers beside one.
func appends(out io.Writer, opt options) error {
	const entries, writers = 200, 8
	message := []byte(`{"role":"user","content":"` + strings.Repeat("x", 2000) + `"}`)
	file := filepath.Join(opt.dir, "appends.jsonl")
	if err := os.RemoveAll(file); err != nil {
		return err
	}
	session, err := checkout.Create(file, objects.Header{}, checkout.Options{Now: time.Now, Random: rand.Reader})
	if err != nil {
		return err
	}
	defer session.Close()
	bare, err := disk.OS.OpenFile(filepath.Join(opt.dir, "bare"), os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer bare.Close()
	var ours, theirs outcome
	for range entries {
		begun := time.Now()
		if _, err := session.Append(context.Background(), [][]byte{message}, checkout.AppendOptions{}); err != nil {
			return err
		}
		ours.wall = append(ours.wall, time.Since(begun))
		begun = time.Now()
		if _, err := bare.Write(message); err != nil {
			return err
		}
		if err := bare.SyncData(); err != nil {
			return err
		}
		theirs.wall = append(theirs.wall, time.Since(begun))
	}
	fmt.Fprintf(out, "| durable append of 2 kB | write and fdatasync | %v | %v | %.3g | 1.3 | |\n", ours.median(), theirs.median(), float64(ours.median())/float64(theirs.median()))
	appender := session.NewAppender(checkout.AppendOptions{})
	begun := time.Now()
	var group sync.WaitGroup
	failed := make(chan error, writers)
	for range writers {
		group.Go(func() {
			for range entries {
				if _, err := appender.Append(context.Background(), message); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	group.Wait()
	select {
	case err := <-failed:
		return err
	default:
	}
	each := time.Since(begun) / (writers * entries)
	_, err = fmt.Fprintf(out, "| the same, eight writers | one writer | %v | %v | %.3g | 0.33 | |\n", each, ours.median(), float64(each)/float64(ours.median()))
	return err
}
