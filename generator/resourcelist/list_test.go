package resourcelist

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sigs "sigs.k8s.io/yaml"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// head is a list without items; the cases put theirs below.
const head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"

// accepted are lists in every style. Each has its items' identities.
var accepted = map[string]struct {
	text string
	want []string
}{
	"as kustomize writes":     {head + "items:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a\n    namespace: ns\n    annotations:\n      internal.config.kubernetes.io/id: '1'\n  data:\n    x: |-\n      - not an item\n      # not a comment\n    y: \"multi\n\n  - line\n  kind: Secret\n      \"\n- apiVersion: apps/v1\n  kind: Deployment\n  metadata:\n    name: b\nfunctionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n", []string{"v1 ConfigMap ns/a", "apps/v1 Deployment b"}},
	"indented":                {head + "items:\n  # first\n  - apiVersion: v1\n    kind: A\n    metadata: {name: a, namespace: \"n\"}\n\n  # second\n  -   kind: B\n      metadata:\n        name: b\n      apiVersion: v1\n", []string{"v1 A n/a", "v1 B b"}},
	"a dash alone":            {head + "items:\n-\n  kind: A\n  metadata:\n      name: 'it''s'\n- # comment\n  kind: B\n", []string{" A it's", " B "}},
	"keys in quotes":          {head + "items:\n- \"kind\": A\n  'metadata':\n    \"na\\u006de\": a\n    'namespace': n\n", []string{" A n/a"}},
	"flow items in a block":   {head + "items: [{kind: A, metadata: {name: a}}, # c\n {kind: B}]\n", []string{" A a", " B "}},
	"JSON":                    {`{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [{"kind": "A", "metadata": {"name": "a", "labels": {"name": "x"}}}, {"metadata": {"name": "b"}, "kind": "B", "apiVersion": "v1"}], "functionConfig": {"a": [1, "]"]}}`, []string{" A a", "v1 B b"}},
	"JSON on lines":           {"{\n  \"kind\": \"ResourceList\",\n  \"apiVersion\": \"config.kubernetes.io/v1beta1\",\n  \"items\": [\n    {\"kind\": \"A\"},\n    {\n      \"kind\": \"B\"\n    }\n  ]\n}\n", []string{" A ", " B "}},
	"JSON without items":      {`{"kind": "ResourceList", "apiVersion": "config.kubernetes.io/v1", "items": null}`, nil},
	"flow":                    {"{apiVersion: config.kubernetes.io/v1, kind: ResourceList, items: [{kind: A, metadata: {name: it's, namespace: 'a, b'}, data: {x: a 'b, y: \"}\"}}]} # end\n", []string{" A a, b/it's"}},
	"CRLF":                    {strings.ReplaceAll(head+"items:\n- kind: A\n  metadata:\n    name: a\n", "\n", "\r\n"), []string{" A a"}},
	"a BOM and marks":         {"\ufeff# c\n%YAML 1.1\n---\n" + head + "items:\n- kind: A\n...\n# end\n", []string{" A "}},
	"no items":                {head + "items: []\n", nil},
	"null items":              {head + "items: null # none\nfunctionConfig: {a: 1}\n", nil},
	"items without a value":   {head + "items:\nfunctionConfig:\n  a: 1", nil},
	"no key items":            {head + "functionConfig:\n  a: 1", nil},
	"anchors":                 {head + "items:\n- &a\n  kind: A\n  metadata: &m {name: a}\n- kind: B\n  metadata: *m\n- *a\n", []string{" A a", " B a", " A a"}},
	"merge keys":              {head + "items:\n- <<: {kind: A}\n  metadata:\n    <<: {name: a}\n", []string{" A a"}},
	"tags":                    {head + "items:\n- kind: !!str A\n  metadata: !!map\n    name: !!str a\n", []string{" A a"}},
	"explicit keys":           {head + "items:\n- ? kind\n  : A\n  metadata:\n    ? name\n    : a\n    labels:\n      ? |\n        - x\n      : y\n", []string{" A a"}},
	"names over lines":        {head + "items:\n- kind: A\n  metadata:\n    name: >-\n      a\n    namespace:\n      n\n- kind: B\n  metadata:\n    name: a\n      b\n", []string{" A n/a", " B a b"}},
	"no strings":              {head + "items:\n- kind: 1\n  metadata:\n    name: 1.10\n    namespace: ~\n", []string{" 1 1.10"}},
	"block scalars that keep": {head + "items:\n- kind: A\n  data: |+\n   x\n\n\n- kind: B\n  data:\n    |\n    - kind: C\n", []string{" A ", " B "}},
	"separators of YAML 1.1":  {head + "items:\n- kind: A\n  data: \"x\u2028- kind: B\"\n  more: |\n    x\u2028    - kind: C\n", []string{" A "}},
	"results at the front":    {"results:\n- message: old\n" + head + "items:\n- kind: A\n", []string{" A "}},
	"lists in lists":          {head + "items:\n- kind: A\n  spec:\n  - - name: x\n    - - y\n  - kind: B\n  metadata:\n    name: a\n    finalizers:\n    - name\n", []string{" A a"}},
}

func identities(l *List) []string {
	var out []string
	for _, item := range l.Items {
		name := item.Name
		if item.Namespace != "" {
			name = item.Namespace + "/" + name
		}
		out = append(out, fmt.Sprintf("%s %s %s", item.APIVersion, item.Kind, name))
	}
	return out
}

func TestParse(t *testing.T) {
	for name, test := range accepted {
		t.Run(name, func(t *testing.T) {
			l, err := Parse([]byte(test.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, identities(l)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			checkList(t, []byte(test.text), l)
		})
	}
}

// checkList compares a list with what Helm's YAML library makes of the stream, and takes it through changes that cancel out.
func checkList(t *testing.T, data []byte, l *List) {
	t.Helper()
	root, err := values.Parse(File, data)
	if err != nil || strings.Contains(string(data), "ENC[") {
		return // no YAML, or values that are concealed: kustomize gives nothing of the kind to a function
	}
	before := join(l)
	items := root.Get("items").List()
	if len(items) != len(l.Items) {
		t.Fatalf("%d items, of which %d are found\n%s", len(items), len(l.Items), data)
	}
	for i, item := range l.Items {
		if got := identityOf(items[i]); got != item.Identity {
			t.Errorf("item %d is %+v, taken for %+v\n%s", i, got, item.Identity, data)
		}
		decoded, err := l.Decode(item)
		if err != nil || !same(items[i], decoded) {
			t.Errorf("item %d is decoded otherwise: %v\n%s", i, err, item.text)
		}
	}
	if config := root.Get("functionConfig"); config != nil && config.Kind == values.Map && (l.Config == nil || !same(config, l.Config)) {
		t.Errorf("the functionConfig is decoded otherwise\n%s", data)
	}
	if root.Get("results") == nil && before != string(data) && before != string(data)+"\n" && before != string(data)+"\r\n" {
		t.Errorf("the pieces are not the stream:\n%q\n%q", data, before)
	}
	checkChanges(t, data, l, items, before)
}

func join(l *List) string { return string(bytes.Join(l.pieces(), nil)) }

// checkChanges adds two objects and results, has the outcome decoded, and takes them out again.
func checkChanges(t *testing.T, data []byte, l *List, items []*values.Node, before string) {
	t.Helper()
	for _, name := range []string{"x", "y"} {
		if err := l.Append(map[string]any{"kind": "New", "metadata": map[string]any{"name": name}, "text": "a\n  b\n"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.SetResults([]Result{{Message: "a: b", Severity: Info}}); err != nil {
		t.Fatal(err)
	}
	after, err := Parse([]byte(join(l)))
	if err != nil {
		t.Fatalf("the outcome cannot be read: %v\n%q\n%q", err, data, join(l))
	}
	root, err := values.Parse(File, []byte(join(l)))
	if err != nil {
		t.Fatalf("the outcome is no YAML: %v\n%s", err, join(l))
	}
	for i, node := range root.Get("items").List() {
		if i < len(items) && !same(node, items[i]) {
			t.Errorf("item %d has changed\n%s\n%s", i, data, join(l))
		}
		if i >= len(items) && node.Get("text").Text != "a\n  b\n" {
			t.Errorf("a new item is %+v", node)
		}
	}
	if len(after.Items) != len(items)+2 || len(root.Get("items").List()) != len(items)+2 || root.Get("results").Items[0].Get("message").Text != "a: b" {
		t.Errorf("the outcome is not as due:\n%s", join(l))
	}
	for _, list := range []*List{l, after} {
		for range 2 {
			list.Remove(list.Items[len(list.Items)-1])
		}
		if err := list.SetResults(nil); err != nil {
			t.Fatal(err)
		}
	}
	if join(l) != before {
		t.Errorf("what was added and taken away leaves a trace (-before +after):\n%s", cmp.Diff(before, join(l)))
	}
	if got := join(after); got != before && len(items) > 0 {
		t.Errorf("what was added and taken away by the next function leaves a trace (-before +after):\n%s", cmp.Diff(before, got))
	}
}

func TestRefused(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"nothing":              {"", "a ResourceList of config.kubernetes.io/v1 or v1beta1 is due"},
		"comments alone":       {"# a\n", "the kind is \"\""},
		"an object":            {"apiVersion: v1\nkind: ConfigMap\n", "the kind is \"ConfigMap\""},
		"another version":      {"apiVersion: config.kubernetes.io/v2\nkind: ResourceList\n", "the apiVersion is \"config.kubernetes.io/v2\""},
		"a list":               {"- a\n", "its first line is no key of one"},
		"text":                 {"hello\n", "its first line is no key of one"},
		"two documents":        {head + "items: []\n---\na: 1\n", "stdin:4:1: a second document"},
		"text behind":          {"{\"kind\": \"ResourceList\"}\n{}", "text is behind its end"},
		"text behind the end":  {head + "...\na: 1\n", "stdin:4:1: text behind the end"},
		"UTF-16":               {"\xff\xfea\x00", "UTF-16"},
		"no UTF-8":             {head + "items:\n- a: \xff\n", "stdin:4:6: a byte that is no UTF-8"},
		"a control character":  {head + "items:\n- a: \x01\n", "stdin:4:6: the control character 0x1"},
		"keys twice":           {head + "kind: ResourceList\n", "stdin:3:1: kind: the key stands twice"},
		"kind twice":           {head + "items:\n- kind: A\n  kind: B\n", "stdin:5:3: items.[0].kind: the key stands twice"},
		"items as a map":       {head + "items:\n  a: 1\n", "stdin:4:3: a list of items is due"},
		"items as text":        {head + "items: x\n", "stdin:3:8: items: a list is due"},
		"null that goes on":    {head + "items: null\n  x\n", "stdin:3:8: items: a list is due"},
		"an item as text":      {head + "items:\n- x\n", "stdin:4:1: items.[0]: another value, where an object is due"},
		"an item as a list":    {head + "items:\n- kind: A\n- - x\n", "stdin:5:1: items.[1]: another value, where an object is due"},
		"an item in JSON":      {`{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": ["x"]}`, "stdin:1:77: items.[0]: another value"},
		"a line between items": {head + "items:\n  - kind: A\n x: 1\n", "stdin:5:2: a line between the items"},
		"an open quote":        {head + "items:\n- kind: \"A\n", "stdin:4:9: a quote that is not closed"},
		"an open bracket":      {head + "items:\n- a: {b: [c}\n", "closes another kind of bracket"},
		"deep":                 {head + "items:\n- a: " + strings.Repeat("[", 2000), "nested deeper than 1000 levels"},
		"an alias bomb":        {head + "x:\n- &a0 [x, x, x, x, x, x, x, x, x, x]\n" + bomb(8) + "items: []\n", "over 2000000 values"},
		"an open block scalar": {head + "items:\n- a: |\n    x", "the stream ends inside a block scalar"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Parse([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	if _, err := Read(strings.NewReader(head), 10); err == nil || !strings.Contains(err.Error(), "over 10 bytes") {
		t.Errorf("over the limit: %v", err)
	}
}

func bomb(levels int) string {
	var b strings.Builder
	for i := 1; i < levels; i++ {
		ref := fmt.Sprintf("*a%d", i-1)
		fmt.Fprintf(&b, "- &a%d [%s]\n", i, strings.TrimSuffix(strings.Repeat(ref+", ", 10), ", "))
	}
	return b.String()
}

// TestAnchors: an item that others take values from cannot go.
func TestAnchors(t *testing.T) {
	text := head + "items:\n- kind: A\n  metadata: &m {name: a}\n- kind: B\n  metadata: *m\n- kind: C\n"
	for i, want := range []string{"an anchor stands in an item that changes or goes", "", ""} {
		l, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		l.Remove(l.Items[i])
		var out bytes.Buffer
		if _, err := l.WriteTo(&out); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("without item %d: %v, want %q", i, err, want)
		}
	}
}

// TestLinear: items that have to be decoded one by one cost no more the more there are. With the square of their number this would take
// minutes.
func TestLinear(t *testing.T) {
	for name, text := range map[string]string{
		"metadata in braces": head + "items:\n" + strings.Repeat("- kind: A\n  metadata: {name: a}\n", 40_000),
		"items in braces":    head + "items:\n" + strings.Repeat("- {kind: A, metadata: {name: \"a\\u0062\"}}\n", 40_000),
		"a list in brackets": head + "items: [" + strings.Repeat("{kind: A, metadata: {name: \"a\\u0062\"}},\n", 40_000) + "]\n",
		"separators":         head + "items:\n" + strings.Repeat("- kind: A\n  x: \"\u2028\"\n", 40_000),
		"aliases":            head + "items:\n- &a {kind: A}\n" + strings.Repeat("- *a\n", 40_000),
	} {
		start := time.Now()
		l, err := Parse([]byte(text))
		if took := time.Since(start); err != nil || len(l.Items) < 40_000 || took > 20*time.Second {
			t.Errorf("%s: %v, %v", name, took, err)
		}
	}
}

// FuzzParse: no panic; what is accepted means what it means to Helm's YAML library; the pieces are the stream; and changes that cancel
// out leave it as it was.
func FuzzParse(f *testing.F) {
	for _, test := range accepted {
		f.Add([]byte(test.text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := Parse(data)
		if err != nil {
			return
		}
		var plain map[string]any
		if err := sigs.Unmarshal(data, &plain); err != nil {
			return
		}
		if items, _ := plain["items"].([]any); len(items) != len(l.Items) {
			t.Errorf("%d items, of which %d are found", len(items), len(l.Items))
		}
		checkList(t, data, l)
	})
}
