package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "gitlab.com/sylva-projects/sylva-elements/sylva-prepull/"

// TestStructure guards the direction of imports (cmd, then generator, then templates and units), and that the generator touches neither
// flags nor the process: no cobra, no os.Exit, no standard streams, no init.
func TestStructure(t *testing.T) {
	files := token.NewFileSet()
	seen := 0
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && slices.Contains([]string{"e2e", "testdata", "golden", ".git"}, entry.Name()) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		seen++
		layer := strings.Split(filepath.ToSlash(path), "/")[2]
		checkImports(t, files, file, layer)
		checkBody(t, files, file, layer)
		return nil
	})
	if err != nil || seen < 20 {
		t.Fatalf("%d files looked at: %v", seen, err)
	}
}

// checkImports compares a file's imports with what its layer may use.
func checkImports(t *testing.T, files *token.FileSet, file *ast.File, layer string) {
	t.Helper()
	mayUse := map[string][]string{"cmd": {"generator", "units"}, "generator": {"generator", "templates", "units"}}
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		below, ours := strings.CutPrefix(path, module)
		switch {
		case ours && !slices.Contains(mayUse[layer], strings.Split(below, "/")[0]):
			t.Errorf("%s: %s imports %s", files.Position(spec.Pos()), layer, path)
		case layer == "generator" && (path == "github.com/spf13/cobra" || path == "flag" || path == "os/exec" || strings.HasPrefix(path, "net/http")):
			t.Errorf("%s: the generator imports %s", files.Position(spec.Pos()), path)
		case (layer == "templates" || layer == "units") && path != "embed":
			t.Errorf("%s: %s imports %s and holds data alone", files.Position(spec.Pos()), layer, path)
		}
	}
}

// checkBody looks for what only the outermost layer may do.
func checkBody(t *testing.T, files *token.FileSet, file *ast.File, layer string) {
	t.Helper()
	ast.Inspect(file, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.FuncDecl:
			if n.Recv == nil && n.Name.Name == "init" {
				t.Errorf("%s: init()", files.Position(n.Pos()))
			}
		case *ast.SelectorExpr:
			pkg, ok := n.X.(*ast.Ident)
			if !ok || layer != "generator" {
				return true
			}
			if name := pkg.Name + "." + n.Sel.Name; slices.Contains([]string{"os.Exit", "os.Stdout", "os.Stderr", "os.Stdin", "os.Getenv", "os.LookupEnv", "os.Args", "time.Now", "fmt.Print", "fmt.Println", "fmt.Printf"}, name) {
				t.Errorf("%s: the generator uses %s", files.Position(n.Pos()), name)
			}
		}
		return true
	})
}
