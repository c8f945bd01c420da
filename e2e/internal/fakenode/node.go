// Package fakenode stands in for a node and its kubelet, as the control plane sees them: a Node object with its heartbeat, and pods
// that become ready once their images are there. No container runs.
package fakenode

import (
	"context"
	"fmt"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// A Node is a node with its kubelet and its cache of images.
type Node struct {
	Name   string
	Labels map[string]string                // beside those of every Linux node
	Pull   func(image string) Pull          // what pulling an image comes to; asked again at each try
	Ran    func(PodStart)                   // called when a pod is ready
	Jobs   map[string]func(context.Context) // by image: what its container does before it completes; other containers run for ever

	client *kubernetes.Clientset
	images cache
	cancel context.CancelFunc
	done   sync.WaitGroup
}

// Start creates the Node object and starts the kubelet. The node is ready when Start returns, but for the taint that the node lifecycle
// controller takes off.
func (n *Node) Start(ctx context.Context, client *kubernetes.Clientset) error {
	n.client = client
	labels := map[string]string{corev1.LabelHostname: n.Name, corev1.LabelOSStable: "linux", corev1.LabelArchStable: "amd64"}
	for k, v := range n.Labels {
		labels[k] = v
	}
	object := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.Name, Labels: labels}}
	if _, err := client.CoreV1().Nodes().Create(ctx, object, metav1.CreateOptions{}); err != nil {
		return err
	}
	if err := n.setReady(ctx, corev1.ConditionTrue, "KubeletReady"); err != nil {
		return err
	}
	if err := n.renewLease(ctx); err != nil {
		return err
	}
	ctx, n.cancel = context.WithCancel(ctx)
	n.done.Go(func() { n.heartbeat(ctx) })
	n.done.Go(func() { n.watchPods(ctx) })
	return nil
}

// Die stops the kubelet, and says so in the node's condition, as the node lifecycle controller does after 50 s without a heartbeat.
func (n *Node) Die(ctx context.Context) error {
	n.stopKubelet()
	return n.setReady(ctx, corev1.ConditionUnknown, "NodeStatusUnknown")
}

// Revive starts the kubelet of a dead node anew. The images that it has pulled are still there.
func (n *Node) Revive(ctx context.Context) error {
	if err := n.setReady(ctx, corev1.ConditionTrue, "KubeletReady"); err != nil {
		return err
	}
	if err := n.renewLease(ctx); err != nil {
		return err
	}
	ctx, n.cancel = context.WithCancel(ctx)
	n.done.Go(func() { n.heartbeat(ctx) })
	n.done.Go(func() { n.watchPods(ctx) })
	return nil
}

// Remove stops the kubelet and deletes the Node object.
func (n *Node) Remove(ctx context.Context) error {
	n.stopKubelet()
	err := n.client.CoreV1().Nodes().Delete(ctx, n.Name, metav1.DeleteOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

func (n *Node) stopKubelet() {
	if n.cancel != nil {
		n.cancel()
	}
	n.done.Wait()
}

func (n *Node) setReady(ctx context.Context, status corev1.ConditionStatus, reason string) error {
	now := metav1.Now()
	room := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("8"), corev1.ResourceMemory: resource.MustParse("32Gi"),
		corev1.ResourcePods: resource.MustParse("110"),
	}
	node, err := n.client.CoreV1().Nodes().Get(ctx, n.Name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	node.Status.Capacity, node.Status.Allocatable = room, room
	node.Status.Conditions = []corev1.NodeCondition{
		{Type: corev1.NodeReady, Status: status, Reason: reason, LastHeartbeatTime: now, LastTransitionTime: now},
	}
	_, err = n.client.CoreV1().Nodes().UpdateStatus(ctx, node, metav1.UpdateOptions{})
	if apierrors.IsConflict(err) { // a controller has changed the object meanwhile
		return n.setReady(ctx, status, reason)
	}
	return err
}

// heartbeat renews the node's lease, which is what tells the node lifecycle controller that the node lives.
func (n *Node) heartbeat(ctx context.Context) {
	tick := time.NewTicker(5 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			_ = n.renewLease(ctx) // the next one follows; 40 s without one would show as a node that is not ready
		}
	}
}

func (n *Node) renewLease(ctx context.Context) error {
	leases := n.client.CoordinationV1().Leases(corev1.NamespaceNodeLease)
	now, seconds := metav1.NowMicro(), int32(40)
	lease := &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: n.Name},
		Spec:       coordinationv1.LeaseSpec{HolderIdentity: &n.Name, LeaseDurationSeconds: &seconds, RenewTime: &now},
	}
	_, err := leases.Create(ctx, lease, metav1.CreateOptions{})
	if !apierrors.IsAlreadyExists(err) {
		return err
	}
	if lease, err = leases.Get(ctx, n.Name, metav1.GetOptions{}); err != nil {
		return err
	}
	lease.Spec.RenewTime = &now
	if _, err = leases.Update(ctx, lease, metav1.UpdateOptions{}); err != nil {
		return fmt.Errorf("renew the lease of %s: %w", n.Name, err)
	}
	return nil
}
