package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tlog/checkout"
	"tlog/log"
	"tlog/objects"
)

// built is the command, in a process of its own: this test binary under another name.
type built struct {
	t   *testing.T
	bin string
	dir string
	env []string
}

func build(t *testing.T) built {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := built{t: t, bin: filepath.Join(dir, "tlog"), dir: filepath.Join(dir, "work")}
	if err := os.Symlink(self, b.bin); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(b.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if b.env, err = projectEnv(b.dir); err != nil {
		t.Fatal(err)
	}
	return b
}

// command is the command with arguments separated by white space.
func (b built) command(ctx context.Context, args string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, b.bin, strings.Fields(args)...)
	cmd.Dir, cmd.Env = b.dir, b.env
	return cmd
}

// run runs a command that must succeed.
func (b built) run(args, stdin string) string {
	b.t.Helper()
	cmd := b.command(b.t.Context(), args)
	cmd.Stdin = strings.NewReader(stdin)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		b.t.Fatalf("tlog %s: %v: %s", args, err, &errs)
	}
	return string(out)
}

// sessions opens each session of the store.
func (b built) sessions(each func(*checkout.Session)) {
	b.t.Helper()
	files, err := filepath.Glob(filepath.Join(b.dir, ".*", "tlog", "projects", "*", "*.jsonl"))
	if err != nil || len(files) == 0 {
		b.t.Fatalf("no sessions: %v", err)
	}
	for _, file := range files {
		s, err := checkout.Open(file, checkout.Options{})
		if err != nil {
			b.t.Fatal(err)
		}
		each(s)
		if err := s.Close(); err != nil {
			b.t.Fatal(err)
		}
	}
}

// kills is how many rounds TestKill goes.
func kills(t *testing.T) int {
	if text := os.Getenv("TLOG_KILLS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if testing.Short() {
		return 10
	}
	return 100
}

// The command is killed at random moments while it appends, branches, undoes and imports: what it has answered is there, and every log reads
// (docs/reliability.md "What is promised").
func TestKill(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	b := build(t)
	session := strings.TrimSpace(b.run("new", ""))
	b.run("append", `{"role":"user","content":"first"}`+"\n")
	source := filepath.Join(b.dir, "source.jsonl")
	transcript, err := os.ReadFile(filepath.Join(projectRoot, "testdata", "claude", "tools.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(source, transcript, 0o600); err != nil {
		t.Fatal(err)
	}
	var acknowledged []string
	killed, rounds := 0, kills(t)
	begun := time.Now()
	b.run("rev-parse HEAD", "")
	start := time.Since(begun) // what it takes to begin and end: machines differ, and are busy
	for round := range rounds {
		answers, dead := b.killedOnce(rng, round, session, start)
		acknowledged = append(acknowledged, answers...)
		if dead {
			killed++
		}
		if round%10 == 9 || round == rounds-1 {
			b.checkAll(acknowledged)
		}
	}
	t.Logf("%d rounds, %d ended by the kill, %d entries acknowledged", rounds, killed, len(acknowledged))
	if !testing.Short() && (killed < rounds/4 || len(acknowledged) < rounds/4) { // under the race detector a process takes long to begin
		t.Errorf("the kills came too early or too late to show anything")
	}
}

// killedOnce starts a command, which takes a while to start, and kills it a random moment later. It gives the ids that were acknowledged.
func (b built) killedOnce(rng *rand.Rand, round int, session string, start time.Duration) (answers []string, killed bool) {
	b.t.Helper()
	commands := []string{
		"append --stream", "append --stream", "append --stream", "branch b" + strconv.Itoa(round), "checkout -b c" + strconv.Itoa(round),
		"undo", "redo", "import source.jsonl", "export",
	}
	args := "-s " + session + " --blob-threshold 64 " + commands[rng.IntN(len(commands))]
	cmd := b.command(b.t.Context(), args)
	in, err := cmd.StdinPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	pause := 1 + rng.IntN(20)
	var done sync.WaitGroup
	done.Go(func() {
		for i := 0; ; i++ {
			line := fmt.Sprintf(`{"role":"user","content":"%d of %d %s"}`+"\n", i, round, strings.Repeat("x", i%100))
			if _, err := io.WriteString(in, line); err != nil {
				return
			}
			if i%pause == 0 { // what waits is written together
				time.Sleep(time.Millisecond)
			}
		}
	})
	delay := time.Duration(rng.Int64N(int64(120*time.Millisecond + 2*start)))
	kill := time.AfterFunc(delay, func() {
		_ = cmd.Process.Kill()
		_ = in.Close()
	})
	defer kill.Stop()
	scanner := bufio.NewReader(out)
	for {
		line, err := scanner.ReadString('\n')
		if err != nil { // an answer without a line feed is none
			break
		}
		if strings.Contains(args, "--stream") {
			answers = append(answers, ids.FindAllString(line, -1)...)
		}
	}
	err = cmd.Wait()
	done.Wait()
	return answers, err != nil && cmd.ProcessState.ExitCode() < 0
}

// checkAll checks that the logs are whole, and hold what was acknowledged.
func (b built) checkAll(acknowledged []string) {
	b.t.Helper()
	there := map[string]bool{}
	b.sessions(func(s *checkout.Session) {
		for i := range s.Log.Len() {
			there[string(s.Log.Record(i).ID)] = true
			if _, err := s.Log.Whole(i); err != nil {
				b.t.Errorf("%s: %v", s.Log.Path(), err)
			}
		}
		for f := range s.Log.Check() {
			switch f.Code {
			case log.TornTail, log.BadLine, log.Unchained, log.DuplicateID: // torn by a kill; of a write nobody acknowledged
			default:
				b.t.Errorf("%s: line %d: %s: %s", s.Log.Path(), f.Line, f.Code, f.Message)
			}
		}
		for f := range toSeq(s.Refs.Check()) {
			b.t.Errorf("%s: line %d: %s: %s", s.Log.Path(), f.Line, f.Code, f.Message)
		}
	})
	lost := 0
	for _, id := range acknowledged {
		if !there[id] {
			lost++
		}
	}
	if lost > 0 {
		b.t.Fatalf("%d of %d acknowledged entries are lost", lost, len(acknowledged))
	}
}

func toSeq(list []log.Finding) func(func(log.Finding) bool) {
	return func(yield func(log.Finding) bool) {
		for _, f := range list {
			if !yield(f) {
				return
			}
		}
	}
}

// Eight processes write to one session at once: every entry is there once, the chain is whole, and each child hangs at an entry
// (docs/reliability.md "What is assumed", 6 and 7).
func TestManyProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("eight processes take their time")
	}
	const processes, each = 8, 1000
	for _, mixed := range []bool{false, true} {
		t.Run(fmt.Sprintf("mixed=%v", mixed), func(t *testing.T) {
			b := build(t)
			b.run("new", "")
			b.run("append", `{"role":"user","content":"first"}`+"\n")
			begun := time.Now()
			var writers sync.WaitGroup
			answers := make([]string, processes)
			for p := range processes {
				writers.Go(func() {
					var in strings.Builder
					for i := range each {
						fmt.Fprintf(&in, `{"role":"user","content":"%d of %d"}`+"\n", i, p)
					}
					cmd := b.command(t.Context(), "--lock-timeout 120s append --stream")
					cmd.Stdin = strings.NewReader(in.String())
					out, err := cmd.CombinedOutput()
					if err != nil {
						t.Errorf("writer %d: %v: %.300s", p, err, out)
					}
					answers[p] = string(out)
				})
			}
			if mixed {
				writers.Go(func() { b.meddle(20) })
				writers.Go(func() { b.meddle(20) })
			}
			writers.Wait()
			if t.Failed() {
				return
			}
			b.checkMany(answers, processes*each)
			t.Logf("%d processes, %d entries each: %s", processes, each, time.Since(begun).Round(time.Millisecond))
		})
	}
}

// meddle checks out, branches and undoes while others write. An undo of what is gone already may be refused.
func (b built) meddle(rounds int) {
	for i := range rounds {
		for _, args := range []string{"undo", "checkout HEAD~1", "checkout main", "branch x%d", "redo", "label l%d HEAD"} {
			if strings.Contains(args, "%d") {
				args = fmt.Sprintf(args, i)
			}
			cmd := b.command(b.t.Context(), "--lock-timeout 120s "+args)
			if out, err := cmd.CombinedOutput(); err != nil && cmd.ProcessState.ExitCode() >= exitLocked {
				b.t.Errorf("tlog %s: %v: %.300s", args, err, out)
			}
		}
	}
}

// checkMany checks that all that was answered is there once, and hangs together.
func (b built) checkMany(answers []string, want int) {
	b.t.Helper()
	var acknowledged []string
	for _, out := range answers {
		acknowledged = append(acknowledged, ids.FindAllString(out, -1)...)
	}
	if len(acknowledged) != want {
		b.t.Errorf("%d entries were acknowledged, expected %d", len(acknowledged), want)
	}
	b.sessions(func(s *checkout.Session) {
		messages := map[objects.ID]int{}
		for i := range s.Log.Len() {
			r := s.Log.Record(i)
			if r.Type == objects.TypeMessage {
				messages[r.ID]++
			}
			if r.Gap || r.ParentID != "" && r.Parent == log.None && r.Tree() {
				b.t.Errorf("entry %s hangs at %s, which is not there", r.ID, r.ParentID)
			}
		}
		if len(messages) != want+1 {
			b.t.Errorf("%d messages, expected %d", len(messages), want+1)
		}
		for _, id := range acknowledged {
			if messages[objects.ID(id)] != 1 {
				b.t.Fatalf("entry %s is there %d times", id, messages[objects.ID(id)])
			}
		}
		for f := range s.Log.Check() {
			b.t.Errorf("line %d: %s: %s", f.Line, f.Code, f.Message)
		}
	})
}
