package splice

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// step is an edit of a test: the entry to set at a path, or to take away where there is no text.
type step struct {
	path, text string
	behind     string
}

func edited(t *testing.T, before string, steps ...step) (string, error) {
	t.Helper()
	d, err := Parse("f.yaml", []byte(before))
	if err != nil {
		return "", err
	}
	for _, each := range steps {
		path := strings.Split(each.path, ".")
		if each.text == "" {
			_, err = d.Remove(path...)
		} else {
			err = d.Set(path, strings.Split(each.text, "\n"), each.behind)
		}
		if err != nil {
			return "", err
		}
	}
	data, err := d.Bytes()
	return string(data), err
}

// TestEdits: one edit, the whole text before and after it. Cases marked with "back" give the first text again when the entry is removed.
func TestEdits(t *testing.T) {
	for name, test := range map[string]struct {
		before, after string
		step          step
		back          bool
	}{
		"behind a sibling":  {"units:\n  a:\n    x: 1\n  c: 2\n", "units:\n  a:\n    x: 1\n  b:\n    y: 1\n  c: 2\n", step{"units.b", "b:\n  y: 1", "a"}, true},
		"set apart":         {"units:\n\n  a:\n    x: 1\n\n  # of c\n  c: 2\n", "units:\n\n  a:\n    x: 1\n\n  b: 1\n\n  # of c\n  c: 2\n", step{"units.b", "b: 1", "a"}, true},
		"at the end":        {"u:\n  a: 1\n\n\n# end\n", "u:\n  a: 1\n  b: 1\n\n\n# end\n", step{"u.b", "b: 1", ""}, true},
		"last, set apart":   {"u:\n  z: 0\n\n  a: 1\nv: 1\n", "u:\n  z: 0\n\n  a: 1\n\n  b: 1\nv: 1\n", step{"u.b", "b: 1", "a"}, true},
		"deep comments":     {"u:\n  a: 1  # one\n         # two\n  # of c\n  c: 1\n", "u:\n  a: 1  # one\n         # two\n  b: 1\n  # of c\n  c: 1\n", step{"u.b", "b: 1", "a"}, true},
		"no final newline":  {"u:\n  a: 1", "u:\n  a: 1\n  b: 1", step{"u.b", "b: 1", "a"}, true},
		"CRLF and a mark":   {"\uFEFFu:\r\n  a: 1\r\n", "\uFEFFu:\r\n  a: 1\r\n  b:\r\n    c: 1\r\n", step{"u.b", "b:\n  c: 1", "a"}, true},
		"kept blank lines":  {"u:\n  a: |+\n    x\n\n\n  c: 1\n", "u:\n  a: |+\n    x\n\n\n  b: 1\n  c: 1\n", step{"u.b", "b: 1", "a"}, false},
		"folded lines":      {"u:\n  a: >-\n    x\n      # no comment\n    y\n\n  c: 1\n", "u:\n  a: >-\n    x\n      # no comment\n    y\n\n  b: 1\n\n  c: 1\n", step{"u.b", "b: 1", "a"}, true},
		"other indents":     {"u:\n    a: 1\n    c:\n    - d\n", "u:\n    a: 1\n    b:\n      x: 1\n    c:\n    - d\n", step{"u.b", "b:\n  x: 1", "a"}, true},
		"quoted keys":       {"'u':\n  \"a\": 1\n", "'u':\n  \"a\": 1\n  b: 1\n", step{"u.b", "b: 1", "a"}, true},
		"template keys":     {"u:\n  '{{ .Values.x }}': 1\n  c: 1\n", "u:\n  '{{ .Values.x }}': 1\n  c: 1\n  b: 1\n", step{"u.b", "b: 1", ""}, true},
		"missing map":       {"u:\n  a: 1\n", "u:\n  a: 1\n  d:\n    b: 1\n", step{"u.d.b", "b: 1", ""}, true},
		"empty map":         {"u:\n  d: {}  # none\n  e: 1\n", "u:\n  d:  # none\n    b: 1  # in place of {}\n  e: 1\n", step{"u.d.b", "b: 1", ""}, true},
		"empty map, spaced": {"u:\n  d: { }\n", "u:\n  d:\n    b: 1  # in place of { }\n", step{"u.d.b", "b: 1", ""}, true},
		"null":              {"u:\n  d:\n  e: 1\n", "u:\n  d:\n    b: 1  # in place of nothing\n  e: 1\n", step{"u.d.b", "b: 1", ""}, true},
		"null in a word":    {"u:\n  d: ~ # none\n", "u:\n  d: # none\n    b: 1  # in place of ~\n", step{"u.d.b", "b: 1", ""}, true},
		"empty top level":   {"u: {}\n", "u:\n  b: 1  # in place of {}\n", step{"u.b", "b: 1", ""}, true},
		"replaced":          {"u:\n  # mine\n  b:\n    old: 1 # here\n    # there\n\n  c: 1\n", "u:\n  # mine\n  b: 2\n\n  c: 1\n", step{"u.b", "b: 2", ""}, false},
		"in a list":         {"u:\n- a: 1\n  b: 1\n- a: 2\n  b: 1\n", "u:\n- a: 1\n  b: 1\n- a: 2\n  b: 3\n", step{"u.1.b", "b: 3", ""}, false},
		"first in an item":  {"u:\n  - a: 1\n    b: 1\n", "u:\n  - a: 2\n    b: 1\n", step{"u.0.a", "a: 2", ""}, false},
		"removed":           {"u:\n  a: 1\n\n  # of b\n  b: 1\n\n  c: 1\n", "u:\n  a: 1\n\n  c: 1\n", step{"u.b", "", ""}, false},
		"removed, first":    {"u:\n\n  b: 1\n\n  c: 1\n", "u:\n\n\n  c: 1\n", step{"u.b", "", ""}, false},
		"removed, absent":   {"u:\n  a: 1\n", "u:\n  a: 1\n", step{"u.b.c", "", ""}, false},
		"the same again":    {"u:\n  b:   1 # x\n", "u:\n  b: 1\n", step{"u.b", "b: 1", ""}, false},
		"not ASCII":         {"ü:\n  ключ: ж # é\n  c: 1\n", "ü:\n  ключ: ж # é\n  b: 1\n  c: 1\n", step{"ü.b", "b: 1", "ключ"}, true},
		"a start marker":    {"# head\n---\nu:\n  a: 1\n", "# head\n---\nu:\n  a: 1\n  b: 1\n", step{"u.b", "b: 1", ""}, true},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := edited(t, test.before, test.step)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.after, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if again, err := edited(t, got, test.step); err != nil || again != got {
				t.Errorf("the second time it gives %q: %v", again, err)
			}
			if !test.back {
				return
			}
			if back, err := edited(t, got, step{path: test.step.path}); err != nil || back != test.before {
				t.Errorf("taken away again it gives %q: %v", back, err)
			}
		})
	}
}

// TestEmptyBack: what is put into an empty map and taken away again leaves the bytes as they were, however the empty map is written and
// whatever stands around it; put there twice, it is there once; and a user's own entry stays.
func TestEmptyBack(t *testing.T) {
	for _, empty := range []string{"", " {}", "  {}", " { }", " ~", " null", " Null", "\tNULL", "\t {}"} {
		for _, comment := range []string{"", " # none", "  # none", "\t# none", "\n      # deep", "\n    # as deep", "\n  # of the next", "\n", "\n\n    # apart"} {
			for _, around := range []string{"u:\n  d:%s", "u:\n  d:%s\n  e: 1", "u:\n\n  c: 1\n\n  d:%s\n\n  e: 1\n", "u:\n  'd':%s\n  e: 1\n", "x: 1\nu:\n  d :%s\n"} {
				for _, path := range []string{"u.d.b", "u.d.c.b"} {
					before := strings.Replace(around, "%s", empty+comment, 1)
					set := step{path, "b:\n  c: 1\n  d: 2", ""}
					once, err := edited(t, before, set)
					if err != nil {
						t.Fatalf("%q: %v", before, err)
					}
					twice, err := edited(t, once, set)
					back, err2 := edited(t, once, step{path: path})
					if err != nil || err2 != nil || twice != once || back != before {
						t.Fatalf("%q\nbecomes %q,\nagain   %q (%v),\nback    %q (%v)", before, once, twice, err, back, err2)
					}
					own, err := edited(t, once, step{"u.d.own", "own: 1", ""})
					if err == nil {
						own, err = edited(t, own, step{path: path})
					}
					if err != nil || !strings.Contains(own, "    own: 1") || strings.Contains(own, "c: 1\n      d: 2") || strings.Contains(own, mark) {
						t.Fatalf("%q, with an own entry: %q, %v", before, own, err)
					}
				}
			}
		}
	}
}

// TestRefused: what cannot be edited with certainty is an error that names the place.
func TestRefused(t *testing.T) {
	for name, test := range map[string]struct{ before, want string }{
		"flow map":         {"u: {a: 1}\n", "f.yaml:1:4: u: a flow collection"},
		"anchor":           {"u: &x\n  a: 1\nv: *x\n", "f.yaml:1:4: u: an anchor (&x) is in the way"},
		"anchor inside":    {"u:\n  b:\n    c: &x 1\nv: *x\n", "f.yaml:3:8: u.b: an anchor (&x) stands in what is to be replaced"},
		"alias":            {"v: &x\n  a: 1\nu: *x\n", "f.yaml:3:4: u: an alias (*x) is in the way"},
		"merge key":        {"v: &x\n  a: 1\nu:\n  <<: *x\n", "f.yaml:4:3: u: a merge key (<<) is in the way"},
		"duplicate key":    {"u:\n  a: 1\n  a: 2\n", "f.yaml:3:3: u.a: "},
		"two documents":    {"u:\n  a: 1\n---\nv: 1\n", "f.yaml:4:1: a second YAML document"},
		"an end marker":    {"u:\n  a: 1\n---\n", "f.yaml:3:1: a document marker (---)"},
		"mixed line ends":  {"u:\r\n  a: 1\n  c: 1\r\n", "f.yaml:2:7: mixed line ends"},
		"a lone return":    {"u:\n  a: 1\r  c: 1\n", "f.yaml:2:7: mixed line ends"},
		"a line separator": {"u:\n  a: 1 #\u2028  c: 1\n", "f.yaml:2:9: mixed line ends"},
		"UTF-16":           {"\xff\xfeu\x00:\x00", "f.yaml:1:1: the file is UTF-16"},
		"a scalar":         {"u: text\n", "f.yaml:1:4: u: a map is due"},
		"a list":           {"u:\n- a\n", "no item b in the list"},
		"a complex key":    {"? u\n: a: 1\n", "f.yaml:1:3: u: the key does not begin a line of its own"},
		"nothing":          {"# nothing\n", "the file is empty"},
		"top-level list":   {"- u\n", "the top level is a list"},
		"braces apart":     {"u: {\n  }\n", "f.yaml:1:4: u: an empty map or null is due in one piece"},
		"a tab":            {"u:\n\ta: 1\n", "f.yaml:2:1: a tab indents the line"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := edited(t, test.before, step{"u.b", "b: 1", ""})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%q, error %v; want %s", got, err, test.want)
			}
		})
	}
}
