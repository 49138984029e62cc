package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write what the commands print into the scripts and documents")

// TestMain makes of this test binary the command tlog when it is started under that name, so
// that scripts run the real main in a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(m, testPrograms)
}

// TestScript runs testdata/script/*.txtar; docs/testing.md explains them.
func TestScript(t *testing.T) {
	dir := filepath.Join(projectRoot, "testdata", "script")
	params := testscript.Params{
		Dir:                dir,
		Cmds:               scriptCommands,
		Setup:              setupScript,
		UpdateScripts:      *update,
		RequireUniqueNames: true,
	}
	if testing.Short() { // under the race detector: those in which goroutines of the command meet
		params.Dir = ""
		for _, name := range []string{"append", "append_stream", "cat_file", "import", "pipe", "sessions_list"} {
			params.Files = append(params.Files, filepath.Join(dir, name+".txtar"))
		}
	}
	testscript.Run(t, params)
}

// projectRoot is where go.mod lies, seen from this package.
var projectRoot = filepath.Join("..", "..")

// setupScript makes the script's folder a project of its own. $EVIL is text that a terminal would obey.
func setupScript(env *testscript.Env) error {
	vars, err := projectEnv(env.WorkDir)
	env.Vars = append(env.Vars, vars...)
	env.Vars = append(env.Vars, "EVIL=\x1b[31m\u202e\u009bred")
	held := new(heldLocks)
	env.Values[lockKey{}] = held
	env.Defer(held.release)
	return err
}

// projectEnv is the environment of a project in dir: nothing of the user's own reaches tlog. $TESTDATA is the project's testdata.
func projectEnv(dir string) ([]string, error) {
	testdata, err := filepath.Abs(filepath.Join(projectRoot, "testdata"))
	if err != nil {
		return nil, err
	}
	home := filepath.Join(dir, ".home")
	return []string{
		"HOME=" + home,
		"XDG_DATA_HOME=" + filepath.Join(dir, ".data"),
		"TLOG_PAGER=cat",
		"TESTDATA=" + testdata,
	}, os.MkdirAll(home, 0o700)
}

// testPrograms are what this test binary is under other names; some systems add more.
var testPrograms = map[string]func(){"tlog": main}
