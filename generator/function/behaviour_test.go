package function

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/resourcelist"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

const peers = "{metallb: {bgp_lbs: {l3_options: {bgp_peers: {a: {}}}}}}"

// listOf is a list of items with an ImagePrepull that is on, with more of metadata and of spec.
func listOf(metadata, spec string, items ...string) string {
	text := listHead + "items:\n"
	for _, item := range items {
		text += indented(item, 0)
	}
	if len(items) == 0 {
		text = listHead + "items: []\n"
	}
	return text + "functionConfig: {apiVersion: prepull.sylva.org/v1alpha1, kind: ImagePrepull, metadata: {name: p" + metadata + "}, spec: {upgrade: true, release: {to: '1.7.0'}, values: " + peers + spec + "}}\n"
}

func metallbIn(namespace, spec string) string {
	return fmt.Sprintf("apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: metallb\n  namespace: %s\nspec:\n%s", namespace, spec)
}

// texts are the results as lines.
func texts(results []resourcelist.Result) string {
	var lines []string
	for _, each := range results {
		lines = append(lines, Text(each))
	}
	return strings.Join(lines, "\n")
}

// only are the items of a name in a list.
func only(list *resourcelist.List, kind, name string) []string {
	var found []string
	for _, item := range list.Items {
		if item.Kind == kind && item.Name == name {
			found = append(found, item.Namespace)
		}
	}
	return found
}

// TestNamespaces: the unit goes where metallb's Kustomization is, or where the functionConfig says; others stay as they are.
func TestNamespaces(t *testing.T) {
	a, b, none := metallbIn("cluster-a", "  interval: 1h\n"), metallbIn("cluster-b", "  interval: 1h\n"), strings.ReplaceAll(metallbIn("", "  interval: 1h\n"), "  namespace: \n", "")
	for name, test := range map[string]struct {
		metadata string
		items    []string
		want     []string // the namespaces of the unit's Kustomization
		waits    []string // of the metallbs that wait
	}{
		"metallb's":             {"", []string{a}, []string{"cluster-a"}, []string{"cluster-a"}},
		"none":                  {"", []string{none}, []string{""}, []string{""}},
		"without metallb":       {"", nil, []string{"sylva-system"}, nil},
		"said, without metallb": {", namespace: x", nil, []string{"x"}, nil},
		"said, of two":          {", namespace: cluster-b", []string{a, b}, []string{"cluster-b"}, []string{"cluster-b"}},
		"said, metallb in none": {", namespace: x", []string{none}, []string{"x"}, []string{""}},
		"said, another's":       {", namespace: x", []string{a}, []string{"x"}, nil},
		"where the unit is":     {"", []string{strings.ReplaceAll(a, "name: metallb", "name: metallb-image-prepull")}, []string{"cluster-a"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			list := parse(t, mustRun(t, listOf(test.metadata, "", test.items...)))
			if diff := cmp.Diff(test.want, only(list, "Kustomization", "metallb-image-prepull")); diff != "" {
				t.Errorf("the unit (-want +got):\n%s", diff)
			}
			var waits []string
			for _, item := range list.Items {
				if item.Name == "metallb" && strings.Contains(string(item.Text()), "name: metallb-image-prepull") {
					waits = append(waits, item.Namespace)
				}
			}
			if diff := cmp.Diff(test.waits, waits); diff != "" {
				t.Errorf("those that wait (-want +got):\n%s", diff)
			}
			if got := only(list, "DaemonSet", "metallb-image-prepull"); !slices.Equal(got, []string{"sylva-system"}) {
				t.Errorf("DaemonSets in %v", got)
			}
		})
	}
}

// TestClusters: a run for each of two clusters gives both the unit, and takes nothing from the other.
func TestClusters(t *testing.T) {
	both := listOf(", namespace: cluster-a", "", metallbIn("cluster-a", "  interval: 1h\n"), metallbIn("cluster-b", "  interval: 1h\n"))
	out := strings.ReplaceAll(mustRun(t, both), "namespace: cluster-a}, spec", "namespace: cluster-b}, spec")
	list := parse(t, mustRun(t, out))
	if got := only(list, "Kustomization", "metallb-image-prepull"); !slices.Equal(got, []string{"cluster-a", "cluster-b"}) {
		t.Errorf("units in %v", got)
	}
}

// TestUpsert: an existing object is made as it should be, with what others put into its metadata; one that is so already keeps its bytes.
func TestUpsert(t *testing.T) {
	on := mustRun(t, listOf("", "", metallbIn("ns", "  interval: 1h\n")))
	old := strings.Replace(on, "  metadata:\n    labels:\n      app.kubernetes.io/instance", "  metadata:\n    annotations:\n      internal.config.kubernetes.io/path: 'a/b.yaml'\n      prepull.sylva.org/undecided-dependencies: x\n    finalizers: [f]\n    labels:\n      team: network # ours\n      app.kubernetes.io/instance", 1)
	old = strings.Replace(old, "interval: 24h", "interval: 1m", 1)
	list := parse(t, mustRun(t, old))
	for _, item := range list.Items {
		if item.Kind != "Kustomization" || item.Name != "metallb-image-prepull" {
			continue
		}
		node, err := list.Decode(item)
		if err != nil {
			t.Fatal(err)
		}
		got := plain(node)["metadata"].(map[string]any)
		if diff := cmp.Diff(map[string]any{"internal.config.kubernetes.io/path": "a/b.yaml"}, got["annotations"]); diff != "" || got["finalizers"] == nil || got["labels"].(map[string]any)["team"] != "network" {
			t.Errorf("metadata: %v", got)
		}
		if text(node.Get("spec", "interval")) != "24h" {
			t.Errorf("spec:\n%s", item.Text())
		}
	}
	rewritten := strings.Replace(on, "    interval: 24h", "    'interval':   \"24h\" # as it is", 1)
	if out := mustRun(t, rewritten); rewritten == on || out != rewritten {
		t.Errorf("an object that is as it should be has changed:\n%s", cmp.Diff(rewritten, out))
	}
}

// TestEmit: only the kinds that are listed are made; all are taken away.
func TestEmit(t *testing.T) {
	out := mustRun(t, listOf("", ", emit: [Kustomization]", metallbIn("ns", "  interval: 1h\n")))
	if list := parse(t, out); len(only(list, "DaemonSet", "metallb-image-prepull")) != 0 || len(only(list, "Kustomization", "metallb-image-prepull")) != 1 {
		t.Errorf("emit is not kept to:\n%s", out)
	}
	on := mustRun(t, listOf("", "", metallbIn("ns", "  interval: 1h\n")))
	off := mustRun(t, strings.Replace(switchedOff(on), "spec: {upgrade", "spec: {emit: [DaemonSet], upgrade", 1))
	if strings.Contains(off, "kind: DaemonSet") || strings.Contains(off, "- name: metallb-image-prepull") {
		t.Errorf("something is left:\n%s", off)
	}
}

// TestConfigItem: the functionConfig may be an item too, and stays.
func TestConfigItem(t *testing.T) {
	own := "apiVersion: prepull.sylva.org/v1alpha1\nkind: ImagePrepull\nmetadata:\n  name: p\n  annotations: {config.kubernetes.io/local-config: 'true'}\n"
	out, results, err := runText(t, listOf("", "", own))
	if err != nil || !strings.Contains(out, indented(own, 0)) {
		t.Errorf("%v\n%s", err, out)
	}
	for _, each := range results {
		if strings.Contains(each.Message, "is not in this stream") && each.Severity != resourcelist.Info {
			t.Errorf("a generator has nothing that could wait: %s", Text(each))
		}
	}
	if _, results, _ := runText(t, listOf("", "", others)); !strings.Contains(texts(results), "warning: the Kustomization metallb is not in this stream") {
		t.Errorf("nothing waits, and it is not told:\n%s", texts(results))
	}
}

// TestConfigMap: the functionConfig as a ConfigMap comes to the same as an ImagePrepull.
func TestConfigMap(t *testing.T) {
	with := func(name, data string) string {
		return listHead + "items:\n" + indented(metallbIn("ns", "  interval: 1h\n"), 0) + indented(others, 0) + "functionConfig: {apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + "}, data: {" + data + "}}\n"
	}
	for name, test := range map[string]struct{ name, data, want string }{
		"on":                  {"x", `from: "1.6.3", to: "1.7.0", valuesFrom: ConfigMap/values/values`, "is on"},
		"as typed":            {"function-input", `from: 1.9, to: 1.10, metallbChartVersion: 0.16.1, valuesFrom: ConfigMap/values`, "is on"},
		"upgrade as typed":    {"function-input", `upgrade: true, to: 1.7.0, valuesFrom: ConfigMap/values`, "is on"},
		"upgrade as text":     {"x", `upgrade: "true", to: 1.7.0, valuesFrom: ConfigMap/values`, "is on"},
		"off":                 {"x", `upgrade: "false", valuesFrom: ConfigMap/values`, "is off"},
		"values":              {"x", `upgrade: "true", to: 1.7.0, values: "metallb: {bgp_lbs: {l3_options: {bgp_peers: {a: {}}}}}"`, "is on"},
		"assumed":             {"x", `from: 1.6.3, to: 1.7.0, assume.upgrade: "false", valuesFrom: ConfigMap/values`, "spec.assume upgrade=false: it is decided, and true"},
		"images":              {"x", `to: 1.7.0, upgrade: "true", valuesFrom: ConfigMap/values, images.frr: "registry.example/frr:1"`, "registry.example/frr:1"},
		"emit and the rest":   {"x", `to: 1.7.0, upgrade: "true", valuesFrom: ConfigMap/values, emit: "Kustomization, DaemonSet", cluster: management, revision: "7", fluxVersion: v2.7.0, namespace: ns`, "by a readyExpr"},
		"a float":             {"x", `from: 1.6, to: "1.7"`, "data.from: YAML reads 1.6 as a number"},
		"an unknown key":      {"x", `release: "1"`, "data.release: unknown key; known are from, to"},
		"an unknown guard":    {"x", `assume.x: "true"`, "data.assume.x: no such guard"},
		"an unknown source":   {"x", `valuesFrom: values`, `data.valuesFrom: "values": ConfigMap/NAME/KEY or Secret/NAME/KEY is due`},
		"an unknown kind":     {"x", `emit: Job`, `data.emit: "Job" is none of Kustomization, DaemonSet`},
		"values that are not": {"x", `values: "- a"`, "data.values: functionConfig data.values:1:1: the top level is a list"},
		"a map":               {"x", `values: {a: 1}`, "data.values: a map, where a text is due"},
	} {
		t.Run(name, func(t *testing.T) {
			_, results, err := runText(t, with(test.name, test.data))
			if got := texts(results); !strings.Contains(got, test.want) || err != nil && !errors.Is(err, ErrFailed) {
				t.Errorf("%v\n%s", err, got)
			}
		})
	}
}

// TestLayers: later objects win over earlier ones, the functionConfig's own values over all; Secrets are read in both forms.
func TestLayers(t *testing.T) {
	item := func(kind, name, field, text string) string {
		return fmt.Sprintf("apiVersion: v1\nkind: %s\nmetadata:\n  name: %s\n%s: {values: %q}\n", kind, name, field, text)
	}
	a := item("ConfigMap", "a", "data", "metallb: {bgp_lbs: {l3_options: {bgp_peers: {a: {}}}}}")
	null := "metallb: {bgp_lbs: {l3_options: {bgp_peers: {a: null}}}}"
	for name, test := range map[string]struct {
		items []string
		from  string
		more  string
		want  string
	}{
		"one":              {[]string{a}, "{kind: ConfigMap, name: a}", "", "is on"},
		"later wins":       {[]string{item("Secret", "b", "stringData", null), a}, "{kind: ConfigMap, name: a}, {kind: Secret, name: b}", "", "is off"},
		"earlier loses":    {[]string{item("Secret", "b", "stringData", null), a}, "{kind: Secret, name: b}, {kind: ConfigMap, name: a}", "", "is on"},
		"base64":           {[]string{item("Secret", "b", "data", "bWV0YWxsYjoge2JncF9sYnM6IHtsM19vcHRpb25zOiB7YmdwX3BlZXJzOiB7YToge319fX19Cg==")}, "{kind: Secret, name: b}", "", "is on"},
		"inline wins":      {[]string{a}, "{kind: ConfigMap, name: a}", ", values: {" + null + "}", "is off"},
		"optional, absent": {[]string{a}, "{kind: Secret, name: zz, optional: true}, {kind: ConfigMap, name: a}", "", "is on"},
		"optional, no key": {[]string{a}, "{kind: ConfigMap, name: a}, {kind: ConfigMap, name: a, key: zz, optional: true}", "", "is on"},
	} {
		t.Run(name, func(t *testing.T) {
			text := listHead + "items:\n"
			for _, each := range test.items {
				text += indented(each, 0)
			}
			text += "functionConfig: {apiVersion: prepull.sylva.org/v1alpha1, kind: ImagePrepull, metadata: {name: p}, spec: {release: {from: 1.6.3, to: 1.7.0}, valuesFrom: [" + test.from + "]" + test.more + "}}\n"
			if _, results, err := runText(t, text); err != nil || !strings.Contains(texts(results), test.want) {
				t.Errorf("%v\n%s", err, texts(results))
			}
		})
	}
}

// TestStaleReady: where neither Sylva's root-dependency unit nor a readyExpr keeps a unit that is ready from the last upgrade from
// counting, it is told; fluxVersion adds the expression, and an older one takes it away.
func TestStaleReady(t *testing.T) {
	const rule = "(stale-ready)"
	plainOne, rooted := metallbIn("ns", "  interval: 1h\n"), metallbIn("ns", "  dependsOn:\n  - name: root-dependency-9\n")
	for name, test := range map[string]struct {
		metallb, spec string
		warned, ready bool
	}{
		"neither":      {plainOne, "", true, false},
		"root":         {rooted, "", false, false},
		"old Flux":     {plainOne, ", fluxVersion: v2.5.1", true, false},
		"new Flux":     {plainOne, ", fluxVersion: '2.7'", false, true},
		"newest Flux":  {plainOne, ", fluxVersion: v3.0.0", false, true},
		"root and new": {rooted, ", fluxVersion: v2.7.2", false, false},
	} {
		out, results, err := runText(t, listOf("", test.spec, test.metallb))
		if err != nil || strings.Contains(texts(results), rule) != test.warned || strings.Contains(out, "readyExpr: ") != test.ready {
			t.Errorf("%s: %v\n%s\n%s", name, err, texts(results), out)
		}
	}
	on := mustRun(t, listOf("", ", fluxVersion: v2.7.0", plainOne))
	back := mustRun(t, strings.Replace(on, "fluxVersion: v2.7.0", "fluxVersion: v2.6.0", 1))
	if want := mustRun(t, listOf("", ", fluxVersion: v2.6.0", plainOne)); back != want {
		t.Errorf("an older Flux keeps the expression:\n%s", cmp.Diff(want, back))
	}
	if off := mustRun(t, switchedOff(on)); off != mustRun(t, switchedOff(listOf("", ", fluxVersion: v2.7.0", plainOne))) {
		t.Errorf("off leaves something:\n%s", off)
	}
}

// TestPinned: with a readyExpr the unit's spec has the images that the DaemonSet pulls, an override of the values among them.
func TestPinned(t *testing.T) {
	spec := ", fluxVersion: v2.7.0"
	text := strings.Replace(listOf("", spec, metallbIn("ns", "  interval: 1h\n")), "values: {", "values: {metallb_helm_values: {frr-k8s: {frrk8s: {frr: {image: {repository: mirror.example:8443/frr, tag: '9'}}}}}, ", 1)
	list := parse(t, mustRun(t, text))
	for _, item := range list.Items {
		node, err := list.Decode(item)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case item.Kind == "DaemonSet":
			if got := string(item.Text()); !strings.Contains(got, "image: mirror.example:8443/frr:9\n") || !strings.Contains(got, "image: quay.io/metallb/frr-k8s:v0.0.25\n") {
				t.Errorf("%s", got)
			}
		case item.Name == "metallb-image-prepull":
			want := []any{map[string]any{"name": "quay.io/metallb/frr-k8s", "newName": "quay.io/metallb/frr-k8s", "newTag": "v0.0.25"}, map[string]any{"name": "quay.io/frrouting/frr", "newName": "mirror.example:8443/frr", "newTag": "9"}}
			if diff := cmp.Diff(want, plain(node)["spec"].(map[string]any)["images"]); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		default:
			if got := text2(node.Get("spec", "dependsOn")); !strings.Contains(got, "i.newName == 'mirror.example:8443/frr' && has(i.newTag) && i.newTag == '9'") {
				t.Errorf("%s", got)
			}
		}
	}
}

func text2(list *values.Node) string { return text(list.Items[0].Get("readyExpr")) }

// TestResults: the results name the objects and their files.
func TestResults(t *testing.T) {
	metallb := strings.Replace(metallbIn("ns", "  interval: 1h\n"), "  namespace: ns\n", "  namespace: ns\n  annotations: {config.kubernetes.io/path: 'c/m.yaml', config.kubernetes.io/index: '2'}\n", 1)
	out, results, err := runText(t, listOf("", "", metallb))
	if err != nil {
		t.Fatal(err)
	}
	var found bool
	for _, each := range results {
		if each.ResourceRef != nil && each.ResourceRef.Name == "metallb" && each.Severity == resourcelist.Info {
			found = true
			want := resourcelist.Result{
				Message: "Kustomization ns/metallb waits for metallb-image-prepull", Severity: "info", File: &resourcelist.Path{Path: "c/m.yaml", Index: 2},
				ResourceRef: &resourcelist.Reference{APIVersion: "kustomize.toolkit.fluxcd.io/v1", Kind: "Kustomization", Name: "metallb", Namespace: "ns"},
			}
			if diff := cmp.Diff(want, each); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		}
	}
	if !found || !strings.Contains(out, "\nresults:\n- message:") || strings.Count(out, "path: c/metallb-image-prepull.yaml") != 4 {
		t.Errorf("the results, or the file of the new objects:\n%s", out)
	}
}

// TestSecrets plants secrets in every place of a stream: only the items themselves may have them.
func TestSecrets(t *testing.T) {
	const planted = "PLANTED"
	secret := func(text string) string {
		return fmt.Sprintf("apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\nstringData: {values: %q}\n", text)
	}
	for name, test := range map[string]struct{ secret, spec, want string }{
		"a password":           {"metallb: {bgp_lbs: {l3_options: {bgp_peers: {a: {password: PLANTED-1}}}}}", "", "is on"},
		"a failing template":   {"pw: PLANTED-long-one", ", values: {units: {metallb: {enabled: '{{ fail .Values.pw }}'}}}", "(redacted)"},
		"broken YAML":          {"metallb: {a: 'PLANTED-a\nb: PLANTED-b", "", "its values are no YAML that Helm takes"},
		"a list":               {"- PLANTED-a", "", "its values are no YAML that Helm takes"},
		"an alias":             {"a: *PLANTED", "", "its values are no YAML that Helm takes"},
		"a duplicate":          {"PLANTED: 1\nPLANTED: 2", "", "its values are no YAML that Helm takes"},
		"an image in a Secret": {"metallb: {bgp_lbs: {l3_options: {bgp_peers: {a: {}}}}}\nmetallb_helm_values: {frr-k8s: {frrk8s: {frr: {image: {tag: 'PLANTED tag'}}}}}", "", "blank in the reference"},
		"inline":               {"metallb: {}", ", values: {metallb: {bgp_lbs: {l3_options: {bgp_peers: {a: {password: PLANTED-2}}}}}}", "is on"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, release := range []string{"{from: 1.6.3, to: 1.7.0}", "{from: 1.6.3, to: 1.99.0}", "{from: 1.7.0, to: 1.7.0}"} {
				text := listHead + "items:\n" + indented(secret(test.secret), 0) + indented(metallbIn("ns", "  interval: 1h\n"), 0) + "functionConfig: {apiVersion: prepull.sylva.org/v1alpha1, kind: ImagePrepull, metadata: {name: p}, spec: {release: " + release + ", valuesFrom: [{kind: Secret, name: s}]" + test.spec + "}}\n"
				out, results, err := runText(t, text)
				if err != nil && !errors.Is(err, ErrFailed) {
					t.Fatal(err)
				}
				if strings.Contains(texts(results), planted) || strings.Count(out, planted) > strings.Count(text, planted) {
					t.Errorf("a secret is told:\n%s\n%s", texts(results), out)
				}
				if release == "{from: 1.6.3, to: 1.7.0}" && !strings.Contains(texts(results), test.want) {
					t.Errorf("it does not say %q:\n%s", test.want, texts(results))
				}
			}
		})
	}
}
