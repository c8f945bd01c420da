package scheduling_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"sigs.k8s.io/yaml"

	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/scheduling"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

func spec(t testing.TB, text string) *values.Node {
	t.Helper()
	n, err := values.Parse("pod.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// required is a node affinity of terms.
func required(terms string) string {
	return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [" + terms + "]}}}"
}

func expressions(list string) string { return "{matchExpressions: [" + list + "]}" }

const everywhere = "tolerations: [{operator: Exists}]\n"

func TestGaps(t *testing.T) {
	for name, test := range map[string]struct {
		pod, other string // of a Deployment, and of a DaemonSet
		daemonSet  bool   // pod is a DaemonSet's too
		want       []string
	}{
		"the same":                    {pod: "nodeSelector: {a: b}", other: "nodeSelector: {a: b}"},
		"a selector":                  {pod: "", other: "nodeSelector: {a: b}", want: []string{"that does not meet a=b"}},
		"another value":               {pod: "nodeSelector: {a: c}", other: "nodeSelector: {a: b}", want: []string{"that does not meet a=b"}},
		"Linux is granted":            {pod: "", other: "nodeSelector: {kubernetes.io/os: linux}"},
		"Windows is nowhere":          {pod: "nodeSelector: {kubernetes.io/os: windows}", other: "nodeSelector: {a: b}"},
		"Windows alone":               {pod: "", other: "nodeSelector: {kubernetes.io/os: windows}", want: []string{"that does not meet kubernetes.io/os=windows"}},
		"an architecture":             {pod: "", other: "nodeSelector: {kubernetes.io/arch: amd64}", want: []string{"that does not meet kubernetes.io/arch=amd64"}},
		"virtual nodes are granted":   {pod: "", other: required(expressions("{key: type, operator: NotIn, values: [virtual-kubelet]}, {key: eks.amazonaws.com/compute-type, operator: NotIn, values: [fargate]}"))},
		"one type more":               {pod: "", other: required(expressions("{key: type, operator: NotIn, values: [virtual-kubelet, edge]}")), want: []string{"that does not meet type NotIn [virtual-kubelet, edge]"}},
		"In implies In":               {pod: required(expressions("{key: a, operator: In, values: [b, c]}")), other: required(expressions("{key: a, operator: In, values: [b, c, d]}"))},
		"In does not imply less":      {pod: required(expressions("{key: a, operator: In, values: [b, c]}")), other: required(expressions("{key: a, operator: In, values: [b]}")), want: []string{"that does not meet a=b"}},
		"In without one of NotIn":     {pod: required(expressions("{key: a, operator: In, values: [b, c]}, {key: a, operator: NotIn, values: [c]}")), other: "nodeSelector: {a: b}"},
		"In implies Exists":           {pod: "nodeSelector: {a: b}", other: required(expressions("{key: a, operator: Exists}"))},
		"In implies NotIn":            {pod: "nodeSelector: {a: b}", other: required(expressions("{key: a, operator: NotIn, values: [c]}"))},
		"absent implies NotIn":        {pod: required(expressions("{key: a, operator: DoesNotExist}")), other: required(expressions("{key: a, operator: NotIn, values: [c]}"))},
		"absent implies absent":       {pod: required(expressions("{key: a, operator: DoesNotExist}")), other: required(expressions("{key: a, operator: DoesNotExist}"))},
		"absent is not Exists":        {pod: "", other: required(expressions("{key: a, operator: Exists}")), want: []string{"that does not meet a Exists"}},
		"In is not absent":            {pod: "nodeSelector: {a: b}", other: required(expressions("{key: a, operator: DoesNotExist}")), want: []string{"that does not meet a DoesNotExist"}},
		"greater implies greater":     {pod: required(expressions("{key: a, operator: Gt, values: ['5']}")), other: required(expressions("{key: a, operator: Gt, values: ['3']}"))},
		"greater is not less":         {pod: required(expressions("{key: a, operator: Gt, values: ['5']}")), other: required(expressions("{key: a, operator: Lt, values: ['9']}")), want: []string{"that does not meet a Lt [9]"}},
		"less implies less":           {pod: required(expressions("{key: a, operator: Lt, values: ['5']}")), other: required(expressions("{key: a, operator: Lt, values: ['9']}"))},
		"a number implies greater":    {pod: "nodeSelector: {a: '7'}", other: required(expressions("{key: a, operator: Gt, values: ['3']}"))},
		"a word is no number":         {pod: "nodeSelector: {a: b}", other: required(expressions("{key: a, operator: Gt, values: ['3']}")), want: []string{"that does not meet a Gt [3]"}},
		"a bound that is no number":   {pod: "nodeSelector: {a: '7'}", other: required(expressions("{key: a, operator: Gt, values: [x]}")), want: []string{"that does not meet a Gt [x]"}},
		"an unknown operator":         {pod: "nodeSelector: {a: b}", other: required(expressions("{key: a, operator: Near, values: [b]}")), want: []string{"that does not meet a Near [b]"}},
		"one of the terms":            {pod: "nodeSelector: {a: b}", other: required(expressions("{key: c, operator: Exists}") + ", " + expressions("{key: a, operator: Exists}"))},
		"none of the terms":           {pod: "nodeSelector: {a: b}", other: required(expressions("{key: c, operator: Exists}") + ", " + expressions("{key: d, operator: Exists}")), want: []string{"that does not meet c Exists", "that does not meet d Exists"}},
		"each of the pod's terms":     {pod: required(expressions("{key: a, operator: Exists}") + ", " + expressions("{key: b, operator: Exists}")), other: required(expressions("{key: a, operator: Exists}")), want: []string{"that does not meet a Exists"}},
		"no term matches nothing":     {pod: "", other: required(""), want: []string{"that does not meet metadata.name (field) In []"}},
		"an empty term matches none":  {pod: required("{}"), other: "nodeSelector: {a: b}"},
		"a node's name":               {pod: required("{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}"), other: "nodeName: n1"},
		"another node's name":         {pod: "", other: "nodeName: n1", want: []string{"that does not meet metadata.name (field)=n1"}},
		"preferences do not matter":   {pod: "", other: "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {matchExpressions: [{key: a, operator: Exists}]}}]}}"},
		"required pod affinity":       {pod: "", other: "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: a}]}}", want: []string{"that its podAffinity leaves out"}},
		"a runtime class":             {pod: "", other: "runtimeClassName: kata", want: []string{"without the runtime class kata"}},
		"the same runtime class":      {pod: "runtimeClassName: kata", other: "runtimeClassName: kata"},
		"all tolerated":               {pod: "tolerations: [{key: a, value: b}, {key: c, operator: Exists}, {operator: Exists}]", other: everywhere},
		"a taint":                     {pod: "tolerations: [{key: a, operator: Exists, effect: NoSchedule}]", other: "", want: []string{"with the taint a:NoSchedule"}},
		"both effects":                {pod: "tolerations: [{key: a, value: b}]", other: "tolerations: [{key: a, value: b, effect: NoSchedule}]", want: []string{"with the taint a=b:NoExecute"}},
		"a preference is no taint":    {pod: "tolerations: [{key: a, operator: Exists, effect: PreferNoSchedule}]", other: ""},
		"any value":                   {pod: "tolerations: [{key: a, operator: Exists}]", other: "tolerations: [{key: a, value: b}]", want: []string{"with the taint a:NoSchedule", "with the taint a:NoExecute"}},
		"a value under Exists":        {pod: "tolerations: [{key: a, value: b}]", other: "tolerations: [{key: a, operator: Exists}]"},
		"any key":                     {pod: everywhere, other: "tolerations: [{key: a, operator: Exists}]", want: []string{"with the taint any:NoSchedule", "with the taint any:NoExecute"}},
		"for some seconds":            {pod: "tolerations: [{key: a, operator: Exists, effect: NoExecute}]", other: "tolerations: [{operator: Exists, tolerationSeconds: 60}]", want: []string{"with the taint a:NoExecute"}},
		"for as many seconds":         {pod: "tolerations: [{key: a, operator: Exists, effect: NoExecute, tolerationSeconds: 30}]", other: "tolerations: [{operator: Exists, tolerationSeconds: 60}]"},
		"numbers compared":            {pod: "tolerations: [{key: a, operator: Lt, value: '5', effect: NoSchedule}]", other: "tolerations: [{key: a, operator: Lt, value: '4'}]", want: []string{"with the taint a Lt 5:NoSchedule"}},
		"of a DaemonSet":              {pod: "", daemonSet: true, other: ""},
		"the node's network":          {pod: "hostNetwork: true", daemonSet: true, other: "", want: []string{"with the taint node.kubernetes.io/network-unavailable:NoSchedule"}},
		"the node's network, Exists":  {pod: "hostNetwork: true", daemonSet: true, other: everywhere},
		"not the node's network":      {pod: "hostNetwork: false", daemonSet: true, other: "hostNetwork: true"},
		"not ready, of a Deployment":  {pod: "tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 300}]", other: ""},
		"what every chart has, Sylva": {pod: "nodeSelector: {kubernetes.io/os: linux}\ntolerations: [{key: node-role.kubernetes.io/master, effect: NoSchedule, operator: Exists}]", daemonSet: true, other: "nodeSelector: {kubernetes.io/os: linux}\n" + everywhere},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, gap := range scheduling.Gaps(scheduling.Pod{Spec: spec(t, test.pod), DaemonSet: test.daemonSet}, scheduling.Pod{Spec: spec(t, test.other), DaemonSet: true}) {
				got = append(got, gap.Text)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestGapsOfAnyPod: the zero Pod stands for one that runs on every node of the cluster.
func TestGapsOfAnyPod(t *testing.T) {
	if gaps := scheduling.Gaps(scheduling.Pod{}, scheduling.Pod{Spec: spec(t, "nodeSelector: {kubernetes.io/os: linux}\n"+everywhere), DaemonSet: true}); len(gaps) > 0 {
		t.Errorf("gaps %v", gaps)
	}
	gaps := scheduling.Gaps(scheduling.Pod{}, scheduling.Pod{Spec: spec(t, "nodeSelector: {role: worker}"), DaemonSet: true})
	if len(gaps) != 3 || gaps[0].At.String() != "pod.yaml:1:16" {
		t.Errorf("gaps %v", gaps)
	}
}

// TestGapsAreSound compares with the code of the scheduler: where there is no gap, every node that takes the one pod takes the other.
func TestGapsAreSound(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	without, checked := 0, 0
	for range 3000 {
		podText, otherText := randomSpec(random), randomSpec(random)
		pod, other := scheduling.Pod{Spec: spec(t, podText)}, scheduling.Pod{Spec: spec(t, otherText)}
		if len(scheduling.Gaps(pod, other)) > 0 {
			continue
		}
		without++
		first, second := typed(t, podText), typed(t, otherText)
		for range 20 {
			node := randomNode(random)
			if takes(t, node, first) {
				checked++
				if !takes(t, node, second) {
					t.Fatalf("no gap is told, and the node %v %v takes the first alone:\n%s\n---\n%s", node.Labels, node.Spec.Taints, podText, otherText)
				}
			}
		}
	}
	if without < 100 || checked < 1000 {
		t.Errorf("%d pairs without a gap and %d nodes that take the first: too few to prove anything", without, checked)
	}
}

func typed(t *testing.T, text string) *corev1.Pod {
	t.Helper()
	pod := &corev1.Pod{}
	if err := yaml.Unmarshal([]byte(text), &pod.Spec); err != nil {
		t.Fatal(err)
	}
	return pod
}

// takes reports whether the scheduler's filters for labels and taints let a node run a pod.
func takes(t *testing.T, node *corev1.Node, pod *corev1.Pod) bool {
	t.Helper()
	match, err := nodeaffinity.GetRequiredNodeAffinity(pod).Match(node)
	blocking := func(taint *corev1.Taint) bool { return taint.Effect != corev1.TaintEffectPreferNoSchedule }
	_, untolerated := corev1helpers.FindMatchingUntoleratedTaint(klog.Background(), node.Spec.Taints, pod.Spec.Tolerations, blocking, false)
	return err == nil && match && !untolerated
}

func pick(random *rand.Rand, words ...string) string { return words[random.IntN(len(words))] }

func randomSpec(random *rand.Rand) string {
	var b strings.Builder
	if random.IntN(3) == 0 {
		fmt.Fprintf(&b, "nodeSelector: {%s: '%s'}\n", pick(random, "a", "b", "kubernetes.io/os"), pick(random, "1", "2", "linux"))
	}
	var terms []string
	for range random.IntN(3) {
		var list []string
		for range 1 + random.IntN(2) {
			list = append(list, randomExpression(random))
		}
		terms = append(terms, expressions(strings.Join(list, ", ")))
	}
	if len(terms) > 0 {
		b.WriteString(required(strings.Join(terms, ", ")) + "\n")
	}
	b.WriteString("tolerations:\n")
	for range random.IntN(4) {
		b.WriteString("- " + pick(random, "{operator: Exists}", "{key: t, operator: Exists}", "{key: t, value: x}", "{key: t, value: x, effect: NoSchedule}",
			"{key: u, operator: Exists, effect: NoExecute}", "{operator: Exists, effect: NoSchedule}") + "\n")
	}
	return b.String()
}

func randomExpression(random *rand.Rand) string {
	key := pick(random, "a", "b", "type")
	switch operator := pick(random, "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"); operator {
	case "In", "NotIn":
		return fmt.Sprintf("{key: %s, operator: %s, values: ['%s', '%s']}", key, operator, pick(random, "1", "2", "virtual-kubelet"), pick(random, "2", "3"))
	case "Gt", "Lt":
		return fmt.Sprintf("{key: %s, operator: %s, values: ['%s']}", key, operator, pick(random, "0", "1", "2", "9"))
	default:
		return fmt.Sprintf("{key: %s, operator: %s}", key, operator)
	}
}

// randomNode is a Linux node that is neither virtual-kubelet's nor Fargate's.
func randomNode(random *rand.Rand) *corev1.Node {
	node := &corev1.Node{}
	node.Labels = map[string]string{"kubernetes.io/os": "linux"}
	for _, key := range []string{"a", "b", "type"} {
		if value := pick(random, "", "1", "2", "3", "x"); value != "" {
			node.Labels[key] = value
		}
	}
	for _, key := range []string{"t", "u"} {
		if random.IntN(3) == 0 {
			effect := corev1.TaintEffect(pick(random, "NoSchedule", "NoExecute", "PreferNoSchedule"))
			node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{Key: key, Value: pick(random, "", "x", "y"), Effect: effect})
		}
	}
	return node
}
