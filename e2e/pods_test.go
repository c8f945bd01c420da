package e2e

import (
	"maps"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// podsOf returns the names of the pods in a namespace, by UID.
func (s *scenario) podsOf(namespace string) map[types.UID]string {
	s.Helper()
	list, err := s.client.CoreV1().Pods(namespace).List(s.ctx, metav1.ListOptions{})
	s.must(err)
	pods := map[types.UID]string{}
	for _, p := range list.Items {
		if p.DeletionTimestamp == nil {
			pods[p.UID] = p.Name
		}
	}
	return pods
}

// samePods checks that a set of pods, which must not be empty, is what it was.
func (s *scenario) samePods(before, after map[types.UID]string) {
	s.Helper()
	if len(before) == 0 || !maps.Equal(before, after) {
		s.Errorf("the pods were %v, and are %v", before, after)
	}
}

// unlabel takes a label off nodes.
func (s *scenario) unlabel(label string, nodes ...string) {
	s.Helper()
	patch := `{"metadata":{"labels":{"` + strings.ReplaceAll(label, `"`, ``) + `":null}}}`
	for _, n := range nodes {
		_, err := s.client.CoreV1().Nodes().Patch(s.ctx, n, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
		s.must(err)
	}
}
