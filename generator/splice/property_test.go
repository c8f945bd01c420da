package splice

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	sigs "sigs.k8s.io/yaml"
)

const realValues = "../../../shared/data/sylva-core/charts/sylva-units/values.yaml"

func readReal(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile(realValues)
	if err != nil {
		t.Skip("the real values.yaml is not here:", err)
	}
	return data
}

// keyPaths are the paths of all keys that stand in block mappings.
func keyPaths(node *yaml.Node, path []string) [][]string {
	var paths [][]string
	for i := 0; i+1 < len(node.Content) && node.Kind == yaml.MappingNode && node.Style&yaml.FlowStyle == 0; i += 2 {
		below := append(slices.Clip(path), node.Content[i].Value)
		paths = append(append(paths, below), keyPaths(node.Content[i+1], below)...)
	}
	return paths
}

// TestRealKeys inserts an entry behind 200 random keys of the real values.yaml, 20 at a time: each line of the file stays as it is, the
// meaning changes by the inserted entries alone (read by a parser that this package does not use), and taking them away gives the file.
func TestRealKeys(t *testing.T) {
	data := readReal(t)
	random := rand.New(rand.NewPCG(1, 2))
	d, err := Parse("values.yaml", data)
	if err != nil {
		t.Fatal(err)
	}
	paths := keyPaths(d.root, nil)
	random.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	for batch := range 10 {
		checkInsertions(t, data, paths[20*batch:20*batch+20])
	}
}

var inserted = []string{"zz-inserted:", "  text: >-", "    of {{ two }}", "    lines", "  list:", "  - 1"}

func checkInsertions(t *testing.T, data []byte, behind [][]string) {
	t.Helper()
	there := map[string]bool{}
	d, _ := Parse("values.yaml", data)
	for _, sibling := range behind {
		path := append(slices.Clone(sibling[:len(sibling)-1]), "zz-inserted")
		if there[strings.Join(path, ".")] {
			continue // two of the keys are siblings
		}
		there[strings.Join(path, ".")] = true
		if err := d.Set(path, inserted, sibling[len(sibling)-1]); err != nil {
			t.Fatalf("behind %v: %v", sibling, err)
		}
	}
	after, err := d.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if !addedOnly(data, after) {
		t.Error("a line was changed or lost")
	}
	want, got := meaning(t, data), meaning(t, after)
	if n := drop(got, "zz-inserted"); n != len(there) {
		t.Errorf("%d entries inserted, want %d", n, len(there))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the meaning changed:\n%s", diff)
	}
	back, _ := Parse("values.yaml", after)
	for path := range there {
		if _, err := back.Remove(strings.Split(path, ".")...); err != nil {
			t.Fatal(err)
		}
	}
	if restored, err := back.Bytes(); err != nil || !bytes.Equal(restored, data) {
		t.Errorf("taken away again, the file is another one: %v", err)
	}
}

// addedOnly reports whether all lines of one text stand in the other, in their order.
func addedOnly(before, after []byte) bool {
	next, stop := 0, strings.Split(strings.TrimSuffix(string(before), "\n"), "\n")
	for line := range strings.Lines(string(after)) {
		if next < len(stop) && strings.TrimRight(line, "\r\n") == strings.TrimRight(stop[next], "\r") {
			next++
		}
	}
	return next == len(stop)
}

func meaning(t *testing.T, data []byte) any {
	t.Helper()
	var out any
	if err := sigs.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// drop takes a key out of all maps, and counts.
func drop(value any, key string) int {
	n := 0
	switch v := value.(type) {
	case map[string]any:
		if _, ok := v[key]; ok {
			n++
			delete(v, key)
		}
		for _, field := range slices.Sorted(maps.Keys(v)) {
			n += drop(v[field], key)
		}
	case []any:
		for _, item := range v {
			n += drop(item, key)
		}
	}
	return n
}

// FuzzSplice: whatever the YAML, an insertion is refused or makes the intended change and no other, and can be taken back.
func FuzzSplice(f *testing.F) {
	for _, seed := range []string{"u:\n  a: 1\n", "u:\r\n  a: |+\r\n    x\r\n\r\n", "u: {}\n", "u:\n- a: 1\n", "\uFEFFu:\n    a: >\n\n     x\n\n    # c\n", "? u\n: 1\n", "u: &a\n  a: 1", "u:\n  a: 'x\n\n # y'\n", "---\nu:\n  a: \"\n   # x\"\n\n  c: 2\n..."} {
		f.Add(seed, "u", "a")
	}
	f.Fuzz(func(t *testing.T, text, parent, sibling string) {
		d, err := Parse("f.yaml", []byte(text))
		if err != nil || d.before.Get(parent, "zz-inserted") != nil || parent == "" {
			return
		}
		if err := d.Set([]string{parent, "zz-inserted"}, inserted, sibling); err != nil {
			return
		}
		hadFields := d.before.Get(parent) != nil && len(d.before.Get(parent).Fields) > 0
		after, err := d.Bytes()
		if err != nil {
			return
		}
		checkMeaning(t, []byte(text), after, parent)
		if !hadFields {
			return // the map itself was made
		}
		if !addedOnly([]byte(text), after) {
			t.Errorf("a line was changed or lost:\n%q\n%q", text, after)
		}
		back, err := Parse("f.yaml", after)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := back.Remove(parent, "zz-inserted"); err != nil {
			t.Fatal(err)
		}
		if restored, err := back.Bytes(); err != nil || string(restored) != text {
			t.Errorf("taken back from\n%q it is\n%q, and was\n%q: %v", after, restored, text, err)
		}
	})
}

// checkMeaning compares by another parser; what that one does not read is left to the package's own check.
func checkMeaning(t *testing.T, before, after []byte, parent string) {
	t.Helper()
	var want, got map[string]any
	if sigs.Unmarshal(before, &want) != nil || sigs.Unmarshal(after, &got) != nil {
		return
	}
	fields, _ := got[parent].(map[string]any)
	if _, ok := fields["zz-inserted"]; !ok {
		t.Errorf("nothing was inserted in %s:\n%q", parent, after)
	}
	delete(fields, "zz-inserted")
	if len(fields) == 0 {
		delete(want, parent)
		delete(got, parent)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the meaning changed:\n%s", diff)
	}
}

func BenchmarkSplice(b *testing.B) {
	data := readReal(b)
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		d, err := Parse("values.yaml", data)
		if err != nil {
			b.Fatal(err)
		}
		if err := d.Set([]string{"units", "zz-inserted"}, inserted, "metallb"); err != nil {
			b.Fatal(err)
		}
		if _, err := d.Bytes(); err != nil {
			b.Fatal(err)
		}
	}
}
