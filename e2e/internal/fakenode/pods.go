package fakenode

import (
	"context"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/types"
)

// A PodStart is a pod that has become ready.
type PodStart struct {
	Node, Namespace, Name string
	Labels                map[string]string
	WaitedFor             []string // the images that were not on the node when the pod came, in the order of its containers
}

// watchPods runs the pods that the scheduler binds to the node, until the context ends.
func (n *Node) watchPods(ctx context.Context) {
	known := map[types.UID]context.CancelFunc{}
	var pods sync.WaitGroup
	defer pods.Wait()
	options := metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector("spec.nodeName", n.Name).String()}
	for ctx.Err() == nil {
		watch, err := n.client.CoreV1().Pods("").Watch(ctx, options)
		if err != nil {
			time.Sleep(200 * time.Millisecond) // try again
			continue
		}
		for event := range watch.ResultChan() {
			pod, ok := event.Object.(*corev1.Pod)
			if !ok {
				continue // an error: the watch ends
			}
			cancel, running := known[pod.UID]
			switch {
			case pod.DeletionTimestamp != nil:
				if running {
					cancel()
				}
				n.finishDeletion(ctx, pod)
			case !running:
				podContext, cancel := context.WithCancel(ctx)
				known[pod.UID] = cancel
				pods.Go(func() { n.runPod(podContext, pod) })
			}
		}
	}
	for _, cancel := range known {
		cancel()
	}
}

// finishDeletion takes away a pod whose containers have ended, as a kubelet does.
func (n *Node) finishDeletion(ctx context.Context, pod *corev1.Pod) {
	now := int64(0)
	_ = n.client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{
		GracePeriodSeconds: &now, Preconditions: metav1.NewUIDPreconditions(string(pod.UID)),
	}) // it may be gone
}

// runPod pulls the images of a pod, container after container, and then says that it is ready.
func (n *Node) runPod(ctx context.Context, pod *corev1.Pod) {
	switch pod.Status.Phase { // from before a restart of the kubelet
	case corev1.PodRunning:
		n.setStatus(ctx, pod, running(pod))
		return
	case corev1.PodSucceeded, corev1.PodFailed:
		return
	}
	containers := slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers)
	start := PodStart{Node: n.Name, Namespace: pod.Namespace, Name: pod.Name, Labels: pod.Labels}
	for _, c := range containers {
		if !n.images.has(c.Image) && !slices.Contains(start.WaitedFor, c.Image) {
			start.WaitedFor = append(start.WaitedFor, c.Image)
		}
	}
	n.setStatus(ctx, pod, pending(pod, "", ""))
	for _, c := range containers {
		if !n.pullUntilThere(ctx, pod, c) {
			return // the pod or the node is gone
		}
	}
	n.setStatus(ctx, pod, running(pod))
	if n.Ran != nil && ctx.Err() == nil {
		n.Ran(start)
	}
	if job := n.Jobs[pod.Spec.Containers[0].Image]; job != nil {
		if job(ctx); ctx.Err() == nil {
			n.setStatus(ctx, pod, succeeded(pod))
		}
	}
}

// pullUntilThere tries again after a failed pull, with a back-off that does not grow.
func (n *Node) pullUntilThere(ctx context.Context, pod *corev1.Pod, c corev1.Container) bool {
	for {
		failed, err := n.images.ensure(ctx, c.Image, n.Pull)
		if err != nil {
			return false
		}
		if failed == "" {
			return true
		}
		n.setStatus(ctx, pod, pending(pod, c.Name, failed))
		select {
		case <-ctx.Done():
			return false
		case <-time.After(time.Second):
		}
	}
}
