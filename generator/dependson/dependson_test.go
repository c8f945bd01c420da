package dependson

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

func TestEdit(t *testing.T) {
	unit := &Entry{Name: "unit"}
	const block = "- kind: K\n  spec:\n    a: 1\n    dependsOn:\n    # the first\n    - name: a\n    # the second\n    - name: b\n      namespace: n\n\n    z: 1\n"
	for name, test := range map[string]struct {
		text   string
		remove []int
		add    *Entry
		want   string
	}{
		"in front":            {block, nil, unit, strings.Replace(block, "dependsOn:\n", "dependsOn:\n    - name: unit\n", 1)},
		"the first goes":      {block, []int{0}, nil, strings.Replace(block, "    - name: a\n", "", 1)},
		"the last goes":       {block, []int{1}, nil, strings.Replace(block, "    - name: b\n      namespace: n\n", "", 1)},
		"all go":              {block, []int{0, 1}, nil, "- kind: K\n  spec:\n    a: 1\n\n    z: 1\n"},
		"one for another":     {block, []int{0}, unit, strings.Replace(strings.Replace(block, "    - name: a\n", "", 1), "dependsOn:\n", "dependsOn:\n    - name: unit\n", 1)},
		"with an expression":  {"- spec:\n    a: 1\n", nil, &Entry{Name: "unit", ReadyExpr: `a == "b" && c < 'd'`}, "- spec:\n    dependsOn:\n    - name: unit\n      readyExpr: \"a == \\\"b\\\" && c < 'd'\"\n    a: 1\n"},
		"a name to quote":     {"- spec:\n    a: 1\n", nil, &Entry{Name: "on"}, "- spec:\n    dependsOn:\n    - name: \"on\"\n    a: 1\n"},
		"as lists are":        {"- metadata:\n    finalizers:\n      - x\n  spec:\n    a: 1\n", nil, unit, "- metadata:\n    finalizers:\n      - x\n  spec:\n    dependsOn:\n      - name: unit\n    a: 1\n"},
		"CRLF":                {"- spec:\r\n    a: 1\r\n", nil, unit, "- spec:\r\n    dependsOn:\r\n    - name: unit\r\n    a: 1\r\n"},
		"JSON":                {`{"spec": {"dependsOn": [{"name": "a"}, {"name": "b"}]}}`, []int{1}, unit, `{"spec": {"dependsOn": [{"name": "unit"}, {"name": "a"}]}}`},
		"JSON on lines":       {"{\"spec\": {\n  \"a\": 1\n}}", nil, unit, "{\"spec\": {\n  \"dependsOn\": [{\"name\": \"unit\"}],\n  \"a\": 1\n}}"},
		"flow, all go":        {"- spec: {a: 1, dependsOn: [{name: a}], z: 1}\n", []int{0}, nil, "- spec: {a: 1, z: 1}\n"},
		"flow, all go at end": {"- spec: {a: 1, dependsOn: [{name: a}]}\n", []int{0}, nil, "- spec: {a: 1}\n"},
		"flow, was empty":     {"- spec: {dependsOn: [ {name: a} ], a: 1}\n", []int{0}, nil, "- spec: {dependsOn: [], a: 1}\n"},
		"flow, the middle":    {"- spec: {dependsOn: [a, b, c, d]}\n", []int{1, 3}, nil, "- spec: {dependsOn: [a, c]}\n"},
		"flow, one for all":   {"- spec: {dependsOn: [a, b]}\n", []int{0, 1}, unit, "- spec: {dependsOn: [{\"name\": \"unit\"}]}\n"},
		"null":                {"- spec:\n    dependsOn: ~ # c\n", nil, unit, "- spec:\n    dependsOn: [ {\"name\": \"unit\"} ] # c\n"},
		"nothing to do":       {"- spec:\n    a: 1\n", nil, nil, "- spec:\n    a: 1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Edit([]byte(test.text), test.remove, test.add)
			if diff := cmp.Diff(test.want, string(got)); err != nil || diff != "" {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
	for text, want := range map[string]string{
		"- kind: K\n": "no spec", "- spec:\n": "no spec", "- spec: x\n": "no spec", "- spec:\n  - a\n": "no spec", "{}": "no spec", `{"spec": []}`: "no spec",
		"- spec: {dependsOn: x}\n": "where a list is due", "- spec:\n    dependsOn: x\n": "where a list is due", "- spec:\n    dependsOn:\n      a: 1\n": "where a list is due",
		"- spec:\n    dependsOn: [\n": "not closed",
	} {
		if _, err := Edit([]byte(text), nil, unit); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// entries are the names in dependsOn of an item; false where there is no such list.
func entries(item *values.Node) ([]string, bool) {
	spec := item.Get("spec")
	if spec == nil || spec.Kind != values.Map {
		return nil, false
	}
	list := spec.Get("dependsOn")
	if list == nil || list.Kind == values.Null {
		return nil, true
	}
	var names []string
	for _, entry := range list.Items {
		names = append(names, nameOf(entry))
	}
	return names, list.Kind == values.List
}

func nameOf(entry *values.Node) string {
	if name := entry.Get("name"); name != nil {
		return name.Text
	}
	return entry.Text
}

// FuzzEdit: no panic; an entry that is added is in the list, in front of the others, which stay; taken away again it leaves no trace.
func FuzzEdit(f *testing.F) {
	for _, seed := range []string{
		"- kind: K\n  spec:\n    a: 1\n    dependsOn: # c\n    # d\n    - name: a\n\n    - {name: b}\n", "- spec: {a: 1}\n", "- spec: {dependsOn: [ ], a: 1}\n", "- {spec: {dependsOn: [{name: a}, # c\n {name: b}]}}\n",
		"- spec:\n    a: |+\n      dependsOn:\n\n    dependsOn: []\n", "-   spec:\n        dependsOn:\n          - name: >-\n              a\n", "- spec:\n    a: 'b\n  spec:\n  dependsOn:'\n", "- spec:\n    a: 1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		before, err := values.Parse("x", []byte("items:\n"+text))
		if err != nil || strings.ContainsAny(text, "&*") || before.Get("items") == nil || len(before.Get("items").Items) != 1 || len(before.Fields) != 1 || !strings.HasSuffix(text, "\n") {
			return // no item of a list
		}
		names, ok := entries(before.Get("items").Items[0])
		added, err := Edit([]byte(text), nil, &Entry{Name: "unit"})
		if err != nil || !ok {
			return
		}
		after, err := values.Parse("x", append([]byte("items:\n"), added...))
		if err != nil {
			t.Fatalf("%v\n%q\n%q", err, text, added)
		}
		got, _ := entries(after.Get("items").Items[0])
		if diff := cmp.Diff(append([]string{"unit"}, names...), got); diff != "" {
			if strings.Contains(text, "<<") {
				return // the function looks at what came out, and refuses
			}
			t.Fatalf("(-want +got):\n%s\n%q\n%q", diff, text, added)
		}
		back, err := Edit(added, []int{0}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if list := before.Get("items").Items[0].Get("spec", "dependsOn"); string(back) != text && (list == nil || list.Kind != values.Null) {
			t.Errorf("a trace is left\n%q\n%q\n%q", text, added, back)
		}
	})
}
