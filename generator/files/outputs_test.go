package files

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOutputs: what was written once may be written again, as long as nobody has changed it, and all else is named.
func TestOutputs(t *testing.T) {
	tree := map[string][]byte{"mine": []byte("mine\n"), "same": []byte("1\n")}
	read := func(path string) ([]byte, error) { return tree[path], nil }
	change := func(path, after string) Change { return Change{path, tree[path], []byte(after)} }
	put := func(want []string, changes ...Change) {
		t.Helper()
		all, foreign, err := Outputs(read, changes)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, foreign); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		for _, each := range all {
			tree[each.Path] = each.After
		}
	}
	put(nil, change("a", "1\n"), change("dir/b", "1\n"), change("same", "1\n"))
	put(nil, change("a", "2\n"))
	put(nil, change("dir/b", "2\n"), change("same", "2\n"))
	tree["a"] = []byte("2\r\n")
	put(nil, change("a", "3\n"))
	tree["a"], tree["dir/b"] = []byte("edited\n"), []byte("2\n# edited\n")
	put([]string{"a", "dir/b", "mine"}, change("a", "4\n"), change("dir/b", "4\n"), change("mine", "1\n"), change("new", "1\n"))
	put(nil, change("a", "5\n"), change("mine", "2\n")) // they were meant
	tree[Record] = []byte("no record\n")
	put([]string{"a"}, change("a", "6\n"))
}

// TestLineEnds: a file keeps its own, a new one takes those of the tree.
func TestLineEnds(t *testing.T) {
	tree := map[string][]byte{"lf": []byte("1\n"), "crlf": []byte("1\r\n"), "one": []byte("1"), "empty": {}}
	contents := []Change{{Path: "lf", After: []byte("2\n2\n")}, {Path: "crlf", After: []byte("2\n2\n")}, {Path: "one", After: []byte("2\n")},
		{Path: "empty", After: []byte("2\n")}, {Path: "new", After: []byte("2\n")}, {Path: "gone"}}
	for newline, want := range map[string][]string{
		"\n": {"2\n2\n", "2\r\n2\r\n", "2\n", "2\n", "2\n", ""}, "\r\n": {"2\n2\n", "2\r\n2\r\n", "2\r\n", "2\r\n", "2\r\n", ""},
	} {
		changes, err := Onto(func(path string) ([]byte, error) { return tree[path], nil }, contents, newline)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, each := range changes {
			got = append(got, string(each.After))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("in a tree of %q (-want +got):\n%s", newline, diff)
		}
	}
}
