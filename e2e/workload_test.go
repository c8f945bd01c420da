package e2e

import (
	"os"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/timeline"
)

// The Kustomizations of a workload cluster are in the management cluster, and Flux reaches the cluster through a kubeconfig: the unit's
// pods and their health check are there. Here one API server is both clusters.
func TestWorkloadCluster(t *testing.T) {
	s := begin(t)
	s.place = "wc-1" // where the chart has the HelmRelease of metallb, and the stand-in its pods
	s.node("fast", 200*time.Millisecond)
	s.nodeWith("slow", nil, s.slow(3*time.Second))
	s.workloadCluster(s.place)
	unit := s.generateCore()
	cluster := []string{"--cluster", "workload", "--namespace", s.place}
	s.install(s.before("0.15.3-native", s.preview(environment, unit, append(cluster, "--revision", "1")...)))

	objects := s.preview(environment, unit, append(cluster, "--revision", "2")...)
	later := s.after("0.16.1", objects, unit)
	s.verified(later)
	s.upgrade(later)
	s.wait(timeline.Ready(held))
	s.must(s.gateHeld(2, frr))
	s.nothingToPull(2)
	s.asPreviewed(objects)
}

// workloadCluster makes what the management cluster has for a workload cluster: its namespace, and the Secret with its kubeconfig.
func (s *scenario) workloadCluster(name string) {
	s.Helper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if _, err := s.client.CoreV1().Namespaces().Create(s.ctx, namespace, metav1.CreateOptions{}); !apierrors.IsAlreadyExists(err) {
		s.must(err)
	}
	kubeconfig, err := os.ReadFile(s.plane.Kubeconfig)
	s.must(err)
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name + "-kubeconfig"}, Data: map[string][]byte{"value": kubeconfig}}
	_, err = s.client.CoreV1().Secrets(name).Create(s.ctx, secret, metav1.CreateOptions{})
	s.must(err)
}
