package values_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sigs "sigs.k8s.io/yaml"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

func plain(n *values.Node) any {
	return n.Go(func(n *values.Node) any { return "unknown: " + n.Why })
}

// TestHelmTypes compares the reading of documents with the library that Helm reads values with.
func TestHelmTypes(t *testing.T) {
	for name, doc := range map[string]string{
		"yaml 1.1 booleans":      "a: no\nb: on\nc: Y\nd: Off\ne: 'no'\nf: \"on\"",
		"numbers":                "a: 1.10\nb: 0x1f\nc: 0o17\nd: 017\ne: 1_000\nf: 1e3\ng: .5\nh: 20250612073634\ni: 0b11\nj: 18446744073709551615\nk: +1\nl: -0b1",
		"decimals":               "a: 0.1\nb: 00.10\nc: 123456789012345678901234.5\nd: 9007199254740993.0\ne: 0.30000000000000004\nf: 1.0\ng: 1" + strings.Repeat("0", 300) + ".5\nh: 1" + strings.Repeat("0", 400) + ".5",
		"not numbers":            "a: 1.2.3\nb: v1\nc: 1:20\nd: 10:10:10\ne: '-'\nf: ''",
		"nulls":                  "a:\nb: ~\nc: null\nd: NULL\ne: Null",
		"keys":                   "1.29: a\n1.30: b\n0x10: c\ntrue: d\nno: e\n'1.30': f2",
		"merge key last":         "x: &x {p: 1, q: 2}\na: {r: 3, <<: *x}",
		"merge key first":        "x: &x {p: 1, q: 2}\na: {<<: *x, p: 3}",
		"merge list":             "x: &x {p: 1}\ny: &y {p: 2, q: 3}\na: {<<: [*x, *y]}",
		"aliases":                "x: &x [1, {a: b}]\ny: *x\nz: {w: *x}",
		"anchored key's value":   "&k x: &v 1\ny: *v\nz: {*k : 2}\n",
		"block scalars":          "a: |\n  x\n   y\nb: >-\n  x\n    more\n  y\nc: |+\n  z\n\n",
		"timestamps":             "a: 2001-01-01\nb: 2001-12-14t21:59:43.10-05:00",
		"tags":                   "a: !!str 1\nb: !!int '1'\nc: !!float 1\nd: !!bool 'true'\ne: !!null ''\nf: !!binary aGVsbG8=",
		"non-ascii":              "ü: ñ\n\"\\u00e9\": \"\\u2028\"",
		"empty":                  "",
		"comments only":          "# a\n\n# b\n",
		"marker only":            "---\n",
		"trailing empty":         "a: 1\n---\n",
		"flow":                   "{a: [1, 2, {b: c}], d: {}}",
		"byte order mark":        "\ufeffa: 1\nb: 2",
		"carriage returns":       "a:\r\n  b: 1\r\n  c: |\r\n    x\r\n",
		"document end":           "a: 1\n...\n",
		"version directive":      "%YAML 1.1\n---\na: yes\n",
		"infinity is no JSON":    "a: .inf2",
		"multi-line plain":       "a: x\n  y\n  z\n",
		"quoted over lines":      "a: \"x\n  y\"\n",
		"question mark key":      "? a\n: 1\n",
		"utf-16 little endian":   utf16("a: ü\n", false),
		"utf-16 big endian":      utf16("a: [1, b]\n", true),
		"other tags":             "a: !vault x\nb: !Ref 12\nc: !Foo {d: 1}\ne: !!set {x, y}\nf: !!omap [x: 1]",
		"merge key in quotes":    "'<<': {a: 1}\n",
		"templated key and text": "'{{ .Values.x }}': '{{ tuple . \"x\" }}'\n",
	} {
		t.Run(name, func(t *testing.T) {
			node, err := values.Parse("f.yaml", []byte(doc))
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]any{}
			if err := sigs.Unmarshal([]byte(doc), &want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(any(want), plain(node)); diff != "" {
				t.Errorf("Helm reads it otherwise (-helm +here):\n%s", diff)
			}
		})
	}
}

func utf16(text string, bigEndian bool) string {
	var b strings.Builder
	for _, r := range "\ufeff" + text {
		if bigEndian {
			b.WriteByte(byte(r >> 8))
		}
		b.WriteByte(byte(r))
		if !bigEndian {
			b.WriteByte(byte(r >> 8))
		}
	}
	return b.String()
}

func TestRefused(t *testing.T) {
	for name, test := range map[string]struct{ doc, want string }{
		"list on top":           {"- a\n", "f.yaml:1:1: the top level is a list: a map of keys is due"},
		"scalar on top":         {"\n  hello", "f.yaml:2:3: the top level is a string: a map of keys is due"},
		"duplicate key":         {"a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n", "f.yaml:5:3: b.c: the key stands twice, first at line 3"},
		"duplicate by type":     {"1: a\n'1': b\n", "f.yaml:2:1: 1: the key stands twice"},
		"duplicate by merge":    {"x: &x {p: 1}\na:\n  p: 2\n  <<: *x\n", "f.yaml:4:3: a: the merge key also sets p, which stands at line 3"},
		"second document":       {"a: 1\n---\nb: 2\n", "f.yaml:3:1: a second YAML document"},
		"tab":                   {"a:\n\tb: 1\n", "f.yaml:2:1: a tab indents the line"},
		"tab after spaces":      {"a:\n  b: 1\n  \tc: 1\n", "f.yaml:3:3: a tab indents the line"},
		"bare template":         {"a:\n  b: {{ .Values.x }}\n", "f.yaml:2:7: a.b: an unquoted template"},
		"bare template, text":   {"a:\n  b: {{ .Values.x }}-suffix\n", "f.yaml:2:6: an unquoted template"},
		"template as list":      {"a:\n- {{ .Values.x }}\n", "f.yaml:2:4: a.[0]: an unquoted template"},
		"unclosed quote":        {"a: 'x\nb: 1\n", "f.yaml:"},
		"unknown alias":         {"b: 1\na: *x\n", "f.yaml:2:4: an alias without an anchor above it"},
		"tag that does not fit": {"a: !!int x\n", "f.yaml:1:4: a: the tag !!int does not fit the value"},
		"alias in itself":       {"a: &a [*a]\n", "f.yaml:1:8: a.[0]: an alias stands inside its own anchor"},
		"map as key":            {"? {a: b, c: d}\n: 1\n", "f.yaml:1:3: an unquoted template"},
		"list as key":           {"? [a]\n: 1\n", "f.yaml:1:3: a key that is a list"},
		"no number in JSON":     {"a: .nan\n", `f.yaml:1:4: a: ".nan" has no JSON form`},
		"tagged key":            {"a: 1\n!!null x: 1\n", "f.yaml:2:1: a key with the tag !!null"},
		"mark inside":           {"a: 1\n\ufeffmetallb: 1\n", `f.yaml:2:1: the key "\ufeffmetallb" holds an invisible character`},
		"no-break indentation":  {"a:\n\u00a0\u00a0b: 1\n", `f.yaml:2:1: the key "\u00a0\u00a0b" holds an invisible character`},
		"first line":            {"a: b: c\n", "f.yaml:1:1: mapping values are not allowed in this context"},
		"text after a quote":    {"x: 1\ny: 2\na: \"b\" c\nz: 1\n", "f.yaml:3:1: did not find expected key"},
		"unclosed list":         {"x: 1\na: [1,\n 2\nb: 1\n", "f.yaml:2:1: did not find expected ',' or ']'"},
		"less indented":         {"x: 1\na:\n  b: 1\n c: 1\n", "f.yaml:4:2: did not find expected key"},
		"no colon":              {"x: 1\nab\nb: 1\n", "f.yaml:2:1: could not find expected ':'"},
		"SOPS as a whole":       {"{\"data\": \"ENC[AES256_GCM,data:x]\", \"sops\": {\"mac\": \"x\"}}\n", "f.yaml:1:1: encrypted with SOPS as a whole"},
		"SOPS for a document":   {"ENC[AES256_GCM,data:x,iv:y]\n", "f.yaml:1:1: encrypted with SOPS as a whole"},
		"bare SOPS":             {"x: 1\na: {b: ENC[AES256_GCM,data:x]}\n", "f.yaml:2:1: did not find"},
		"at sign":               {"b: 1\na: @x\n", "f.yaml:2:4: a value that starts with @, ` or %: quote it"},
		"git conflict":          {"<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> x\n", "f.yaml:3:1: a conflict of git"},
		"control character":     {"a: 1\nb: x\x07\n", "f.yaml:2:5: a control character"},
		"latin-1":               {"a: 1\nb: \xe9\n", "f.yaml:2:4: no UTF-8"},
		"utf-16, no mark":       {utf16("a: 1\n", false)[2:], "f.yaml:1:2: a NUL byte: no text, or UTF-16 without a byte order mark"},
		"gzip":                  {"\x1f\x8b\x08\x00", "f.yaml:1:1: a control character"},
		"merge of a scalar":     {"a: {<<: 1}\n", "the merge key << takes maps, not a number"},
		"behind an empty one":   {"---\n# head\n---\na: 1\n", "f.yaml:4:1: a second YAML document"},
		"behind null":           {"null\n---\na: 1\n", "f.yaml:3:1: a second YAML document"},
		"binary":                {"\x00\x01", "f.yaml:1:1: a NUL byte"},
		"nested without end":    {strings.Repeat("[", 20000), "f.yaml: exceeded max depth of 10000"},
		"nested over the mark":  {"a: " + strings.Repeat("[", 1500) + strings.Repeat("]", 1500), "f.yaml:1:1004: a." + strings.Repeat("[0].", 9) + "..." + strings.Repeat(".[0]", 10) + ": nested deeper than 1000 levels"},
		"alias bomb":            {bomb(12), "over 2000000 values once its aliases are written out"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := values.Parse("f.yaml", []byte(test.doc))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
}

func bomb(levels int) string {
	var b strings.Builder
	b.WriteString("l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < levels; i++ {
		ref := "*l" + string(rune('a'+i-2)) + ", "
		if i == 1 {
			ref = "*l0, "
		}
		b.WriteString("l" + string(rune('a'+i-1)) + ": &l" + string(rune('a'+i-1)) + " [" + strings.TrimSuffix(strings.Repeat(ref, 10), ", ") + "]\n")
	}
	return b.String()
}

func TestPlaces(t *testing.T) {
	node, err := values.Parse("env.yaml", []byte("# c\nmetallb:\n  tag: 10.10  # float\n  list: [a, {b: 'ENC[AES256_GCM,data:x]'}]\n  pw: \"ENC[AES256_GCM,data:x]\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	tag := node.Get("metallb", "tag")
	if tag.Where().String() != "env.yaml:3:3" || tag.At.String() != "env.yaml:3:8" || tag.Text != "10.10" || tag.Scalar != 10.1 {
		t.Errorf("tag: %+v", tag)
	}
	if pw := node.Get("metallb", "pw"); pw.Kind != values.Unknown || !pw.Secret || pw.Text != "" {
		t.Errorf("an encrypted leaf is %+v", pw)
	}
	if got, n := node.Deepest("metallb", "absent", "x"); n != 1 || got != node.Get("metallb") {
		t.Errorf("deepest of an absent path: %v, %d", got, n)
	}
}

// FuzzParse: no panic, and whatever is accepted means what it means to Helm.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"a: no\nb: {<<: {c: 1}}", "x: &x [1]\ny: *x", "a: |\n  x\n", "\ufeffa: 1", "1.30: x", "a: {{ x }}", "- a", "a: 1\n---\nb: 2", "a: !!int 1", "? a\n: b", "---\r---\r-:", "---\n---\na: 1", "a: ENC[AES256_GCM,x]"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		node, err := values.Parse("f.yaml", doc)
		if err != nil || strings.Contains(string(doc), "ENC[") || strings.Contains(string(doc), "!") {
			return // the parser does not tell the tag "!" from no tag
		}
		var want map[string]any
		if err := sigs.Unmarshal(doc, &want); err != nil {
			t.Skip("refused by Helm alone:", err)
		}
		if want == nil {
			want = map[string]any{}
		}
		if diff := cmp.Diff(any(want), plain(node), cmp.Comparer(func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) })); diff != "" {
			t.Errorf("Helm reads it otherwise (-helm +here):\n%s", diff)
		}
	})
}
