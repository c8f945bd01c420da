package yamltext

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// describe is each line of a text as "column key=value", with the number of lines that its value takes.
func describe(t *testing.T, data string) []string {
	t.Helper()
	text := New("f", []byte(data))
	lines := text.Lines(0)
	var out []string
	for {
		line, err := lines.Next()
		if err != nil {
			t.Fatal(err)
		}
		if line == nil {
			return out
		}
		out = append(out, fmt.Sprintf("%d%v %s=%s/%d", line.Column, line.Dashes, line.Key.Of(text.Data), line.Value.Of(text.Data), strings.Count(string(line.Of(text.Data)), "\n")))
	}
}

func TestLines(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"keys":            {"# c\na: b # d\n\n  'e f' : \"g: h\"\ni:\tj\n", []string{"0[] a=b/1", "2[] 'e f'=\"g: h\"/1", "0[] i=j/1"}},
		"dashes":          {"- - a: b\n  -\n- c\n", []string{"0[0 2] a=b/1", "2[2] =/1", "0[0] =c/1"}},
		"block scalars":   {"a: |2-\n   b: c\n\n  # d\ne:\n- >+ # f\n g\n\n\n- h\n", []string{"0[] a=|2-/4", "0[] e=/1", "0[0] =>+/4", "0[0] =h/1"}},
		"a comment ends":  {"a:\n  b: |\n    c\n # d\n  e: f\n", []string{"0[] a=/1", "2[] b=|/2", "2[] e=f/1"}},
		"plain over more": {"a: b\n  c 'd\n\n  e\nf: g\n", []string{"0[] a=b/4", "0[] f=g/1"}},
		"quotes":          {"a: 'b''\n- c: d\n' # e\nf: \"\\\"\n  g: h\"\n", []string{"0[] a='b''\n- c: d\n'/3", "0[] f=\"\\\"\n  g: h\"/2"}},
		"flow":            {"a: {b: [c, 'd]'], \"e}\": it's} # f\ng: [\n- h,\n# i ]\n]\n", []string{"0[] a={b: [c, 'd]'], \"e}\": it's}/1", "0[] g=[\n- h,\n# i ]\n]/4"}},
		"properties":      {"a: &b !!str c\n&d e: *b\n", []string{"0[] a=c/1", "0[] e=*b/1"}},
		"explicit keys":   {"? a\n: b\n", []string{"0[] =a/1", "0[] =b/1"}},
		"marks":           {"---\na: b\n...\n", []string{"0[] =/1", "0[] a=b/1", "0[] =/1"}},
		"urls and times":  {"a: http://b:80/c\nd: 12:30\ne:f: g\n", []string{"0[] a=http://b:80/c/1", "0[] d=12:30/1", "0[] e:f=g/1"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, describe(t, test.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestPosition(t *testing.T) {
	for text, want := range map[string]string{"a: b\nc: \"d\n": "f:2:4", "ä: \"\n": "f:1:4", "a: b\r\nc: \"": "f:2:4", "a: 'b\u2028'\n  c: \"": "f:3:6"} {
		data := New("f", []byte(text))
		if got := data.Position(strings.LastIndex(text, "\"")).String(); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// FuzzEntries: no panic, and as many entries, of the same keys, as the YAML library finds in a flow collection.
func FuzzEntries(f *testing.F) {
	for _, seed := range []string{`{"a": [1, {"b": "}"}], "c": null}`, "{a: it's, 'b, c': d, e}", "[a, [b, c], {d: e}, # f ]\n g]", "{a: 'b', \"c\":d, e: \"\\\"\"}", "{}", "[ ]", "{? a : b}", "[a b, c#d, 'e']", "{a: {b: {c: d}},}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data string) {
		if !strings.HasPrefix(data, "{") && !strings.HasPrefix(data, "[") {
			return
		}
		text := New("f", []byte(data))
		entries, closing, err := text.Entries(0)
		if err != nil {
			return
		}
		var document yaml.Node
		if strings.ContainsAny(data, "?&*!") || yaml.Unmarshal([]byte(data[:closing+1]), &document) != nil || len(document.Content) == 0 {
			return
		}
		root := document.Content[0]
		step := 1
		if root.Kind == yaml.MappingNode {
			step = 2
		}
		if len(root.Content) != len(entries)*step {
			t.Fatalf("%d entries, of which %d are found: %q", len(root.Content)/step, len(entries), data)
		}
		for i, entry := range entries {
			part := entry.Value
			if step == 2 {
				part = entry.Key
			}
			var alone yaml.Node
			if err := yaml.Unmarshal([]byte("["+string(part.Of(text.Data))+"]"), &alone); err != nil || len(alone.Content) == 0 || len(alone.Content[0].Content) != 1 {
				continue
			}
			if root.Content[i*step].Kind == yaml.MappingNode {
				continue // one pair without braces: its value may be the blank behind the entry
			}
			if got, want := alone.Content[0].Content[0].Value, root.Content[i*step].Value; got != want {
				t.Errorf("entry %d is %q, found as %q: %q", i, want, got, data)
			}
		}
	})
}
