package function

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/resourcelist"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/units"
)

func testFunction(t testing.TB) *Function {
	t.Helper()
	definition, err := unit.Load(units.FS, "metallb-image-prepull")
	if err != nil {
		t.Fatal(err)
	}
	data, err := units.FS.ReadFile("sylva-core.yaml")
	if err != nil {
		t.Fatal(err)
	}
	standIn, err := values.Parse("built-in values", data)
	if err != nil {
		t.Fatal(err)
	}
	return &Function{Unit: definition, StandIn: standIn}
}

// runText runs the function on a text.
func runText(t testing.TB, text string) (string, []resourcelist.Result, error) {
	t.Helper()
	var out bytes.Buffer
	results, err := testFunction(t).Run(strings.NewReader(text), &out)
	return out.String(), results, err
}

func mustRun(t testing.TB, text string) string {
	t.Helper()
	out, results, err := runText(t, text)
	if err != nil {
		t.Fatalf("%v: %v\n%s", err, results, text)
	}
	return out
}

// metallbs are metallb's Kustomization as people and tools write it, as lines of an item in block style.
var metallbs = map[string]string{
	"plain":            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: metallb\n  namespace: sylva-system\nspec:\n  dependsOn:\n  - name: a # first\n  - name: root-dependency-1\n    namespace: x\n  interval: 24h\n",
	"wide":             "kind: Kustomization\napiVersion: kustomize.toolkit.fluxcd.io/v1beta2\nspec:\n    # why\n    interval: 24h\n    dependsOn: # these\n      # the first\n      - namespace: x\n        name: a\n\n      # the second\n      -   name: b\n    path:   ./x\nmetadata: {name: 'metallb', namespace: sylva-system}\nstatus: {}\n",
	"no dependsOn":     "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: metallb\nspec: # all of it\n  # the interval\n  interval: 24h\n  patches:\n    - patch: |-\n        - op: add\n          path: /x\n",
	"empty":            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: metallb\nspec:\n  interval: 24h\n  dependsOn: [] # none\n",
	"empty with blank": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: metallb\nspec:\n  dependsOn: [ ]\n  interval: 24h\n",
	"in brackets":      "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: metallb\nspec:\n  dependsOn: [{name: a}, {name: b, namespace: sylva-system},]\n  interval: 24h\n",
	"over lines":       "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: metallb\nspec:\n  dependsOn: [ # c\n    {name: a}, # d\n    {name: b}\n  ]\n  interval: 24h\n",
	"spec in brackets": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: metallb\nspec: {interval: 24h, wait: true}\n",
	"spec, empty list": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: metallb\nspec: {dependsOn: [], interval: 24h}\n",
	"empty spec":       "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: metallb\nspec: {}\n",
	"quoted keys":      "\"apiVersion\": kustomize.toolkit.fluxcd.io/v1\n\"kind\": Kustomization\n\"metadata\":\n  \"name\": metallb\n\"spec\":\n  \"interval\": 24h\n  \"dependsOn\":\n  - \"name\": a\n",
	"folded texts":     "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: metallb\n  annotations:\n    spec: |\n      dependsOn:\n      - name: x\nspec:\n  path: >-\n    ./a\n      dependsOn:\n\n  timeout: \"3\n  0s\"\n  dependsOn:\n    - name: >-\n        a\n      readyExpr: |+\n        true\n\n    - {name: b}\n",
}

// traces are forms that hold something of the unit already.
var traces = map[string]string{
	"edge there":         "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: metallb\nspec:\n  dependsOn:\n  - name: a\n  # for the images\n  - name: metallb-image-prepull\n  - name: b\n",
	"edge there alone":   "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: metallb\nspec:\n  interval: 24h\n  dependsOn:\n  - name: metallb-image-prepull\n",
	"edge there twice":   "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: metallb\n  namespace: ns\nspec:\n  interval: 24h\n  dependsOn:\n  - name: metallb-image-prepull\n  - name: a\n  - {name: metallb-image-prepull, namespace: ns}\n",
	"twice in brackets":  "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: metallb\nspec:\n  dependsOn: [{name: a}, {name: metallb-image-prepull}, {name: metallb-image-prepull}]\n",
	"all of brackets":    "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: metallb\nspec:\n  interval: 24h\n  dependsOn: [{name: metallb-image-prepull}, {name: metallb-image-prepull}]\n",
	"null":               "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: metallb\nspec:\n  interval: 24h\n  dependsOn: # none\n",
	"null by name":       "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: metallb\nspec:\n  dependsOn: null\n  interval: 24h\n",
	"readyExpr of old":   "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: metallb\nspec:\n  dependsOn:\n  - name: metallb-image-prepull\n    readyExpr: has(dep.spec.images) && true\n  - name: a\n",
	"another's edge too": "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: metallb\nspec:\n  dependsOn:\n  - name: metallb-image-prepull\n    namespace: another\n",
}

// others are items that nothing of this is about.
const others = `apiVersion: v1
kind: ConfigMap
metadata:
  name: "values"   # quoted
  annotations: {internal.config.kubernetes.io/needsHashSuffix: enabled, config.kubernetes.io/index: '0'}
data:
  values: |
    metallb: {bgp_lbs: {l3_options: {bgp_peers: {tor-a: {local_asn: 64512}}}}}
  on: "yes"
  exotic: !!str 1_000
`

// config is the functionConfig.
const config = `functionConfig:
  apiVersion: prepull.sylva.org/v1alpha1
  kind: ImagePrepull
  metadata: {name: prepull}
  spec:
    release: {to: "1.7.0"}
    upgrade: true
    valuesFrom: [{kind: ConfigMap, name: values}]
`

// indented is an item's text as an entry of a list.
func indented(item string, margin int) string {
	lines := strings.SplitAfter(item, "\n")
	for i, line := range lines {
		switch {
		case i == 0:
			lines[i] = strings.Repeat(" ", margin) + "- " + line
		case strings.TrimSpace(line) != "":
			lines[i] = strings.Repeat(" ", margin) + "  " + line
		}
	}
	return strings.Join(lines, "")
}

const listHead = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"

// forms are ways to write a list with a metallb in it.
var forms = map[string]func(metallb string) string{
	"as kustomize": func(m string) string { return listHead + "items:\n" + indented(m, 0) + indented(others, 0) + config },
	"config first": func(m string) string {
		return config + listHead + "items: # all\n\n" + indented(others, 2) + "  # next\n" + indented(m, 2)
	},
	"no newline": func(m string) string {
		return strings.TrimSuffix(config+listHead+"items:\n"+indented(m, 0)+indented(others, 0), "\n")
	},
	"CRLF": func(m string) string {
		return strings.ReplaceAll(listHead+"items:\n"+indented(m, 1)+indented(others, 1)+config, "\n", "\r\n")
	},
	"v1beta1": func(m string) string {
		return "# c\n---\n" + strings.Replace(listHead, "/v1", "/v1beta1", 1) + config + "items:\n" + indented(others, 4) + indented(m, 4) + "# end\n...\n"
	},
	"results are there": func(m string) string {
		return "results:\n- message: old\n" + listHead + "items:\n" + indented(m, 0) + indented(others, 0) + config
	},
}

// asJSON is a list as JSON; "" where a text has no such form.
func asJSON(t *testing.T, text string, pretty bool) string {
	t.Helper()
	node, err := values.Parse("x", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return jsonText(t, node.Go(func(*values.Node) any { return nil }), pretty)
}

func TestProperties(t *testing.T) {
	for name, metallb := range metallbs {
		for form, write := range forms {
			t.Run(name+", "+form, func(t *testing.T) { checkProperties(t, write(metallb), form != "results are there") })
		}
		for _, pretty := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, JSON %v", name, pretty), func(t *testing.T) {
				checkProperties(t, asJSON(t, forms["as kustomize"](metallb), pretty), true)
			})
		}
	}
	for name, metallb := range traces {
		for form, write := range forms {
			t.Run(name+", "+form, func(t *testing.T) { checkProperties(t, write(metallb), false) })
		}
		t.Run(name+", JSON", func(t *testing.T) { checkProperties(t, asJSON(t, forms["as kustomize"](metallb), true), false) })
	}
}

// switchedOff is a list whose functionConfig says that this is no upgrade.
func switchedOff(text string) string {
	return strings.NewReplacer("upgrade: true", "upgrade: false", `"upgrade": true`, `"upgrade": false`, `"upgrade":true`, `"upgrade":false`).Replace(text)
}

// checkProperties: a second run changes nothing; on and off again is off; off leaves a list without traces as it was; other items keep
// their bytes and their order; metallb depends on the unit once.
func checkProperties(t *testing.T, text string, clean bool) {
	t.Helper()
	on, off := mustRun(t, text), mustRun(t, switchedOff(text))
	for _, each := range []string{on, off} {
		if diff := cmp.Diff(each, mustRun(t, each)); diff != "" {
			t.Errorf("a second run changes (-first +second):\n%s", diff)
		}
	}
	if diff := cmp.Diff(off, mustRun(t, switchedOff(on))); diff != "" {
		if !strings.Contains(text, "dependsOn: # none") && !strings.Contains(text, "dependsOn: null") && !strings.Contains(text, `"dependsOn": null`) {
			t.Errorf("on and off again is not off (-off +on and off):\n%s", diff)
		}
	}
	if clean {
		if got := withoutResults(t, off); strings.TrimRight(got, "\r\n") != strings.TrimRight(switchedOff(text), "\r\n") {
			t.Errorf("off changes a list without traces:\n%s", cmp.Diff(switchedOff(text), got))
		}
	}
	before, after := parse(t, text), parse(t, on)
	if diff := cmp.Diff(otherTexts(before), otherTexts(after)); diff != "" {
		t.Errorf("other items have changed:\n%s", diff)
	}
	if n := len(after.Items); n != len(before.Items)+2 {
		t.Errorf("%d items", n)
	}
	checkEdges(t, before, after)
}

func parse(t *testing.T, text string) *resourcelist.List {
	t.Helper()
	list, err := resourcelist.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func withoutResults(t *testing.T, text string) string {
	t.Helper()
	list := parse(t, text)
	if err := list.SetResults(nil); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := list.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func otherTexts(list *resourcelist.List) []string {
	var texts []string
	for _, item := range list.Items {
		if item.Name != "metallb" && item.Name != "metallb-image-prepull" {
			texts = append(texts, string(item.Text()))
		}
	}
	return texts
}

// checkEdges compares dependsOn before and after: the unit first or where it was, the others as they were.
func checkEdges(t *testing.T, before, after *resourcelist.List) {
	t.Helper()
	var other []string
	ours := 0
	for _, entry := range dependencies(t, after) {
		if entry == "metallb-image-prepull" || entry == "ns/metallb-image-prepull" {
			ours++
		} else {
			other = append(other, entry)
		}
	}
	var want []string
	for _, entry := range dependencies(t, before) {
		if entry != "metallb-image-prepull" && entry != "ns/metallb-image-prepull" {
			want = append(want, entry)
		}
	}
	if diff := cmp.Diff(want, other); ours != 1 || diff != "" {
		t.Errorf("the unit stands %d times in dependsOn, and the others differ:\n%s", ours, diff)
	}
}

func dependencies(t *testing.T, list *resourcelist.List) []string {
	t.Helper()
	var out []string
	for _, item := range list.Items {
		if item.Name != "metallb" {
			continue
		}
		node, err := list.Decode(item)
		if err != nil {
			t.Fatal(err)
		}
		if field := node.Get("spec", "dependsOn"); field != nil {
			for _, entry := range field.Items {
				name := text(entry.Get("name"))
				if namespace := text(entry.Get("namespace")); namespace != "" {
					name = namespace + "/" + name
				}
				out = append(out, name)
			}
		}
	}
	return out
}

// TestFailures: what cannot be done is told, the input does not come out again, and nothing panics.
func TestFailures(t *testing.T) {
	list := func(items, spec string) string {
		return listHead + "items: " + items + "\nfunctionConfig: {apiVersion: prepull.sylva.org/v1alpha1, kind: ImagePrepull, metadata: {name: p}, spec: " + spec + "}\n"
	}
	const flux = "{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: metallb, namespace: %s}, spec: %s}"
	metallb := func(namespace, spec string) string { return fmt.Sprintf(flux, namespace, spec) }
	on := "{upgrade: true, release: {to: '1.7.0'}, values: {metallb: {bgp_lbs: {l3_options: {bgp_peers: {a: {}}}}}}"
	for name, test := range map[string]struct{ text, want string }{
		"no functionConfig":      {listHead + "items: []\n", "functionConfig: there is none"},
		"another kind":           {listHead + "functionConfig: {apiVersion: v1, kind: Pod}\n", "functionConfig.kind: Pod of v1: ImagePrepull of prepull.sylva.org/v1alpha1 is due"},
		"another version":        {listHead + "functionConfig: {apiVersion: prepull.sylva.org/v1, kind: ImagePrepull}\n", "ImagePrepull of prepull.sylva.org/v1: "},
		"an unknown field":       {list("[]", "{relase: {}}"), "functionConfig.spec.relase: unknown field; known are release, upgrade"},
		"an unknown field below": {list("[]", "{release: {until: '1'}}"), "functionConfig.spec.release.until: unknown field; known are from, to"},
		"an unknown top field":   {listHead + "functionConfig: {apiVersion: prepull.sylva.org/v1alpha1, kind: ImagePrepull, data: {}}\n", "functionConfig.data: unknown field"},
		"a float":                {list("[]", "{release: {from: 1.9, to: 1.10}}"), "functionConfig.spec.release.to: YAML reads 1.10 as a number, and 1.10 would be 1.1: quote it"},
		"a branch":               {list("[]", "{release: {from: '1.6', to: main}}"), "say whether it is an upgrade (spec.upgrade)"},
		"from alone":             {list("[]", "{release: {from: '1.6'}}"), "spec.release.from: it needs spec.release.to"},
		"upgrade as text":        {list("[]", "{upgrade: 'true'}"), "spec.upgrade: a string, where true or false is due"},
		"spec as text":           {list("[]", "x"), "spec: a string, where a map is due"},
		"values as text":         {list("[]", "{values: x}"), "spec.values: a string, where a map of Sylva values is due"},
		"emit another kind":      {list("[]", "{emit: [Job]}"), `spec.emit[0]: "Job" is none of Kustomization, DaemonSet`},
		"cluster":                {list("[]", "{cluster: edge}"), `spec.cluster: "edge" is none of management, workload`},
		"revision":               {list("[]", "{revision: 0}"), "spec.revision: a whole number from 1 is due"},
		"a guard":                {list("[]", "{assume: {x: true}}"), "spec.assume.x: no such guard"},
		"an image":               {list("[]", "{images: {frr: 'frr:latest'}}"), "the tag latest moves"},
		"an image that is none":  {list("[]", "{images: {x: 'a:1'}}"), "spec.images.x: no image of metallb-image-prepull"},
		"a version of Flux":      {list("[]", "{fluxVersion: new}"), "is no version of Flux"},
		"a source without name":  {list("[]", "{valuesFrom: [{kind: ConfigMap}]}"), "spec.valuesFrom[0]: kind (ConfigMap or Secret) and name are due"},
		"a source of no kind":    {list("[]", "{valuesFrom: [{kind: Pod, name: a}]}"), `"Pod" is none of ConfigMap, Secret`},
		"a source as text":       {list("[]", "{valuesFrom: [a]}"), "spec.valuesFrom[0]: a string, where a map is due"},
		"a missing source":       {list("[]", "{valuesFrom: [{kind: ConfigMap, name: a}]}"), "no ConfigMap a is in the stream"},
		"a missing key":          {list("[{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {b: c}}]", "{valuesFrom: [{kind: ConfigMap, name: a}]}"), `ConfigMap a: it has no key "values"`},
		"two sources":            {list("[{apiVersion: v1, kind: Secret, metadata: {name: a, namespace: x}}, {apiVersion: v1, kind: Secret, metadata: {name: a, namespace: y}}]", "{valuesFrom: [{kind: Secret, name: a}]}"), "2 objects Secret a are in the stream"},
		"no base64":              {list("[{apiVersion: v1, kind: Secret, metadata: {name: a}, data: {values: '***'}}]", "{valuesFrom: [{kind: Secret, name: a}]}"), `the data of "values" is not base64`},
		"undecided":              {list("[]", "{values: {metallb: {bgp_lbs: {l3_options: {bgp_peers: {a: {}}}}}}}"), "say spec.release or spec.upgrade"},
		"no images":              {list("[]", "{upgrade: true, values: {metallb: {bgp_lbs: {l3_options: {bgp_peers: {a: {}}}}}}}"), "give the images with spec.images, or the chart with spec.metallbChartVersion"},
		"peers as a list":        {list("[]", "{upgrade: true, release: {to: '1.7.0'}, values: {metallb: {bgp_lbs: {l3_options: {bgp_peers: [{name: a}]}}}}}"), "the peers are a map by name"},
		"two clusters":           {list("["+metallb("a", "{interval: 1h}")+", "+metallb("b", "{interval: 1h}")+"]", on+"}"), "the Kustomization metallb is in several namespaces (a, b)"},
		"metallb twice":          {list("["+metallb("a", "{interval: 1h}")+", "+metallb("a", "{interval: 2h}")+"]", on+"}"), "Kustomization a/metallb stands twice"},
		"no spec":                {list("["+metallb("a", "null")+"]", on+"}"), "it has no spec with fields"},
		"dependsOn as text":      {list("["+metallb("a", "{dependsOn: x}")+"]", on+"}"), "spec.dependsOn is a string, where a list is due"},
		"an entry as text":       {list("["+metallb("a", "{dependsOn: [x]}")+"]", on+"}"), "spec.dependsOn[0] has no name"},
		"nothing to wait for":    {list("["+metallb("a", "{interval: 1h}")+"]", on+", emit: [DaemonSet]}"), "would wait for ever"},
		"an anchor":              {listHead + "items:\n" + indented(metallbIn("a", "  dependsOn: &d\n  - name: x\n"), 0) + indented(metallbIn("b", "  dependsOn: *d\n"), 0) + strings.Replace(strings.SplitAfterN(list("[]", on+"}"), "\n", 4)[3], "metadata: {name: p}", "metadata: {name: p, namespace: a}", 1), "would change: an anchor stands in an item that changes or goes"},
		"merge keys":             {listHead + "items:\n- {apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: {name: metallb}, spec: {<<: {dependsOn: [{name: a}]}, interval: 1h}}\n" + strings.SplitAfterN(list("[]", on+"}"), "\n", 4)[3], "cannot be changed in place"},
	} {
		t.Run(name, func(t *testing.T) {
			out, results, err := runText(t, test.text)
			if !errors.Is(err, ErrFailed) || len(results) == 0 {
				t.Fatalf("no failure: %v %v\n%s", err, results, out)
			}
			var all []string
			for _, result := range results {
				all = append(all, Text(result))
			}
			if !strings.Contains(strings.Join(all, "\n"), test.want) || strings.Contains(strings.Join(all, "\n"), "--") {
				t.Errorf("got\n%s\nwant %q, and no flags", strings.Join(all, "\n"), test.want)
			}
			if list := parse(t, out); len(list.Items) != 0 || !strings.Contains(out, "severity: error") {
				t.Errorf("what comes out is not a failure:\n%s", out)
			}
		})
	}
}
