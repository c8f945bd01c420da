package e2e

import (
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// The pods that are generated pass the admission of the namespace of the units, which enforces Pod Security "restricted", refuses images
// without a tag or with latest or main, and has a quota. All scenarios run in it; here it is shown to refuse what it should.
func TestAdmission(t *testing.T) {
	s := begin(t)
	var set appsv1.DaemonSet
	object := s.get(s.preview(environment, s.generate()), "DaemonSet", unit)
	s.must(runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(object.Object, &set, true))
	for _, c := range []struct {
		name    string
		edit    func(*corev1.PodSpec)
		refused string // part of the answer; empty: accepted
	}{
		{"as generated", func(*corev1.PodSpec) {}, ""},
		{"may be root", func(p *corev1.PodSpec) { p.SecurityContext.RunAsNonRoot = nil }, "violates PodSecurity"},
		{"host network", func(p *corev1.PodSpec) { p.HostNetwork = true }, "violates PodSecurity"},
		{"capabilities", func(p *corev1.PodSpec) { p.Containers[1].SecurityContext.Capabilities = nil }, "violates PodSecurity"},
		{"no tag", func(p *corev1.PodSpec) { p.Containers[0].Image = "quay.io/metallb/frr-k8s" }, "an image needs a tag"},
		{"latest", func(p *corev1.PodSpec) { p.Containers[1].Image = "quay.io/frrouting/frr:latest" }, "an image needs a tag"},
		{"main", func(p *corev1.PodSpec) { p.Containers[0].Image = "quay.io/metallb/frr-k8s:main" }, "an image needs a tag"},
		{"no limits", func(p *corev1.PodSpec) { p.Containers[0].Resources.Limits = nil }, "failed quota"},
		{"no such priority class", func(p *corev1.PodSpec) { p.PriorityClassName = "none" }, "no PriorityClass with name none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: "try-"}, Spec: *set.Spec.Template.Spec.DeepCopy()}
			c.edit(&pod.Spec)
			_, err := s.client.CoreV1().Pods(system).Create(s.ctx, pod, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
			if c.refused == "" && err != nil || c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)) {
				t.Errorf("%v, wanted: %q", err, c.refused)
			}
		})
	}
	s.refusedAsDaemonSet(&set)
}

// refusedAsDaemonSet checks that the policy for tags sees the DaemonSet already, and that the DaemonSet as generated passes.
func (s *scenario) refusedAsDaemonSet(set *appsv1.DaemonSet) {
	s.Helper()
	dry := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}, FieldValidation: metav1.FieldValidationStrict}
	if _, err := s.client.AppsV1().DaemonSets(system).Create(s.ctx, set, dry); err != nil {
		s.Errorf("the DaemonSet as generated: %v", err)
	}
	set = set.DeepCopy()
	set.Spec.Template.Spec.Containers[0].Image = "quay.io/metallb/frr-k8s:latest"
	_, err := s.client.AppsV1().DaemonSets(system).Create(s.ctx, set, dry)
	if err == nil || !strings.Contains(err.Error(), "an image needs a tag") {
		s.Errorf("a DaemonSet with latest: %v", err)
	}
}
