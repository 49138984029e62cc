package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "tlog"

// forbiddenBelow is what no package below cmd may name: the caller hands the world in. "*" stands for
// all of a package, "Print*" for every name that begins so.
var forbiddenBelow = map[string][]string{
	"os/exec":                {"*"},
	"os/signal":              {"*"},
	"flag":                   {"*"},
	"github.com/spf13/cobra": {"*"},
	"github.com/spf13/pflag": {"*"},
	"golang.org/x/term":      {"*"},
	"math/rand":              {"*"},
	"math/rand/v2":           {"*"},
	"crypto/rand":            {"*"},
	"os":                     {"Getenv", "LookupEnv", "Environ", "ExpandEnv", "Exit", "Args", "Getwd", "Stdin", "Stdout", "Stderr", "UserHomeDir", "UserConfigDir", "UserCacheDir"},
	"fmt":                    {"Print*", "Scan", "Scanf", "Scanln"},
	"time":                   {"Now", "Since", "Until"},
	"github.com/google/uuid": {"New", "NewString", "NewRandom", "NewUUID", "NewV6", "NewV7"},
}

// forbiddenAnywhere is what no package may import: package log of this project would be hidden by it.
var forbiddenAnywhere = []string{"log", "log/slog"}

// leaves import nothing of the project.
var leaves = []string{"blobs", "objects"}

// testSupport reports whether a package serves tests alone, as its name says: pitest, logtest.
func testSupport(pkg string) bool {
	return strings.HasSuffix(path.Base(pkg), "test")
}

// TestImports holds the direction of imports to the list in docs/architecture.md, and keeps the
// world outside of the packages below cmd.
func TestImports(t *testing.T) {
	layers := documentedLayers(t)
	seen := map[string]bool{}
	err := filepath.WalkDir(projectRoot, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != projectRoot && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		dir, err := filepath.Rel(projectRoot, filepath.Dir(file))
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(dir)
		seen[layerOf(layers, pkg)] = true
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			return err
		}
		for _, complaint := range checkFile(layers, pkg, parsed) {
			t.Errorf("%s: %s", file, complaint)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, layer := range layers {
		if !seen[layer] {
			t.Errorf("docs/architecture.md lists '%s', which has no Go file", layer)
		}
	}
}

// documentedLayers reads the first indented block of docs/architecture.md: a package a line, the highest first.
func documentedLayers(t *testing.T) []string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(projectRoot, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	var layers []string
	for text := range strings.Lines(string(page)) {
		line, indented := strings.CutPrefix(text, "    ")
		if fields := strings.Fields(line); indented && len(fields) > 1 {
			layers = append(layers, fields[0])
		} else if len(layers) > 0 {
			break
		}
	}
	if len(layers) < 3 || layers[0] != "bench" || layers[1] != "cmd/tlog" || layers[len(layers)-1] != "objects" {
		t.Fatalf("docs/architecture.md lists the packages %q, expected bench and cmd/tlog first and objects last", layers)
	}
	return layers
}

// layerOf is the listed package that pkg is or lies in, "" if there is none.
func layerOf(layers []string, pkg string) string {
	for ; pkg != "." && pkg != "/"; pkg = path.Dir(pkg) {
		if slices.Contains(layers, pkg) {
			return pkg
		}
	}
	return ""
}

// checkFile names what a file of package pkg imports or calls and must not.
func checkFile(layers []string, pkg string, file *ast.File) (complaints []string) {
	layer := layerOf(layers, pkg)
	if layer == "" {
		return []string{"package '" + pkg + "' is not in the list of docs/architecture.md"}
	}
	program := file.Name.Name == "main" // a script that lies beside the package it serves
	names := map[string]string{}        // local name of each import
	for _, spec := range file.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		local := path.Base(imported)
		if local == "v2" {
			local = path.Base(path.Dir(imported))
		}
		if spec.Name != nil {
			local = spec.Name.Name
		}
		names[local] = imported
		complaints = append(complaints, checkImport(layers, layer, pkg, imported, program)...)
	}
	if layer == "cmd/tlog" || testSupport(pkg) || program {
		return complaints
	}
	ast.Inspect(file, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		base, ok := selector.X.(*ast.Ident)
		// An identifier that is declared in the file is a variable and no package.
		if ok && base.Obj == nil && forbidden(names[base.Name], selector.Sel.Name) {
			complaints = append(complaints, names[base.Name]+"."+selector.Sel.Name+" is used below cmd")
		}
		return true
	})
	return complaints
}

func checkImport(layers []string, layer, pkg, imported string, program bool) (complaints []string) {
	if slices.Contains(forbiddenAnywhere, imported) {
		complaints = append(complaints, "'"+imported+"' is imported")
	}
	if layer != "cmd/tlog" && !testSupport(pkg) && !program && forbidden(imported, "*") {
		complaints = append(complaints, "'"+imported+"' is imported below cmd")
	}
	target, own := strings.CutPrefix(imported, module+"/")
	if !own {
		return complaints
	}
	if testSupport(target) && !testSupport(pkg) {
		complaints = append(complaints, "'"+imported+"' is for tests and imported outside of one")
	}
	below := layerOf(layers, target)
	if slices.Contains(leaves, layer) && below != layer {
		return append(complaints, "'"+layer+"' imports '"+imported+"', and may import nothing of the project")
	}
	if below != layer && slices.Index(layers, below) <= slices.Index(layers, layer) {
		complaints = append(complaints, "'"+layer+"' imports '"+imported+"', which is not below it")
	}
	return complaints
}

// forbidden reports whether a package below cmd may not use name of an imported package.
func forbidden(imported, name string) bool {
	for _, rule := range forbiddenBelow[imported] {
		prefix, all := strings.CutSuffix(rule, "*")
		if rule == name || all && prefix == "" || all && name != "*" && strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// TestImportsOfPrograms shows that only a program may look at the world below cmd.
func TestImportsOfPrograms(t *testing.T) {
	layers := []string{"cmd/tlog", "store", "objects"}
	for code, want := range map[string]int{
		"package main\n" + `import ("flag"; "os"; "tlog/objects"); func main() { flag.Parse(); os.Exit(len(objects.ID("")));  }`: 0,
		"package gen\n" + `import ("flag"; "os"); func Main() { flag.Parse(); os.Exit(0) }`:                                      3,
		"package main\n" + `import "log"; func main() { log.Println() }`:                                                         1,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", code, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := checkFile(layers, "store/gen", file); len(got) != want {
			t.Errorf("%s: got %q, expected %d complaints", code, got, want)
		}
	}
}

// TestImportsRules shows the rules of TestImports files that break them.
func TestImportsRules(t *testing.T) {
	layers := []string{"cmd/tlog", "store", "log", "blobs", "objects"}
	for _, c := range []struct {
		pkg, code string
		want      int
	}{
		{"store", `import "tlog/log"; var _ = log.Open`, 0},
		{"log", `import "tlog/store"; var _ = store.Open`, 1},
		{"objects", `import "tlog/objects/inner"; var _ = inner.X`, 0},
		{"objects", `import "tlog/log"; var _ = log.Open`, 1},
		{"blobs", `import "tlog/objects"; var _ = objects.Scan`, 1},
		{"log/logtest", `import "os"; var _ = os.Getenv`, 0},
		{"log/logtest", `import "tlog/store"; var _ = store.Open`, 1},
		{"log", `import "tlog/log/logtest"; var _ = logtest.X`, 1},
		{"store", `import "tlog/strange"; var _ = strange.X`, 1},
		{"strange", `import "fmt"; var _ = fmt.Sprint()`, 1},
		{"cmd/tlog", `import "os"; var _ = os.Getenv("X")`, 0},
		{"cmd/tlog", `import "log"; var _ = log.Println`, 1},
		{"cmd/tlog/internal/view", `import "tlog/store"; var _ = store.Open`, 0},
		{"store", `import "log/slog"; var _ = slog.Info`, 1},
		{"store", `import "os"; var _ = os.Getenv("X")`, 1},
		{"store", `import system "os"; func f() { system.Exit(1) }`, 1},
		{"store", `import "os"; var _ = os.ReadFile`, 0},
		{"store", `import "os/exec"; func f() { exec.Command("x") }`, 2},
		{"store", `import "fmt"; func f() { fmt.Println() }`, 1},
		{"store", `import "fmt"; func f() { fmt.Printf("") }`, 1},
		{"store", `import "fmt"; func f() { fmt.Fprintln(nil) }`, 0},
		{"store", `import "time"; var now = time.Now`, 1},
		{"store", `import "time"; var wait = time.Second`, 0},
		{"store", `import "math/rand/v2"; var n = rand.Int()`, 2},
		{"store", `import "time"; func f() { time := struct{ Now int }{}; _ = time.Now }`, 0},
		{"store", `import "github.com/spf13/cobra"; var _ cobra.Command`, 2},
		{"store", `import "flag"; var _ = flag.Parse`, 2},
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\n"+c.code, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := checkFile(layers, c.pkg, file); len(got) != c.want {
			t.Errorf("%s: %s: got %q, expected %d complaints", c.pkg, c.code, got, c.want)
		}
	}
}
