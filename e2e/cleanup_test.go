package e2e

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/timeline"
)

// cleanUp takes away all that a scenario has made but the namespaces: a Kustomization takes what it has applied with it.
func (s *scenario) cleanUp() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := s.plane.Alive(); err != nil {
		return err
	}
	err := s.deleteAll(ctx, timeline.Kustomizations, 5*time.Second)
	if errors.Is(err, context.DeadlineExceeded) { // one is in a health check, and comes to its deletion after that
		if err = s.plane.RestartFlux(); err == nil {
			err = s.deleteAll(ctx, timeline.Kustomizations, 40*time.Second)
		}
	}
	apps := schema.GroupVersion{Group: "apps", Version: "v1"}
	for _, resource := range []schema.GroupVersionResource{
		apps.WithResource("daemonsets"), apps.WithResource("deployments"), {Group: "batch", Version: "v1", Resource: "jobs"},
	} {
		err = errors.Join(err, s.deleteAll(ctx, resource, 20*time.Second))
	}
	return errors.Join(err, s.removeNodes(ctx))
}

// deleteAll deletes the objects of a resource, in all namespaces, and waits until they are gone.
func (c *cluster) deleteAll(ctx context.Context, resource schema.GroupVersionResource, limit time.Duration) error {
	background := metav1.DeletePropagationBackground
	return wait.PollUntilContextTimeout(ctx, 200*time.Millisecond, limit, true, func(ctx context.Context) (bool, error) {
		list, err := c.dynamic.Resource(resource).List(ctx, metav1.ListOptions{})
		if err != nil {
			return false, err
		}
		for _, u := range list.Items {
			if u.GetDeletionTimestamp() == nil {
				_ = c.dynamic.Resource(resource).Namespace(u.GetNamespace()).Delete(ctx, u.GetName(),
					metav1.DeleteOptions{PropagationPolicy: &background}) // looked at again
			}
		}
		return len(list.Items) == 0, nil
	})
}

// removeNamespace deletes a namespace with all that is in it, if it is there.
func (s *scenario) removeNamespace(name string) error {
	err := s.client.CoreV1().Namespaces().Delete(s.ctx, name, metav1.DeleteOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	} else if err != nil {
		return err
	}
	return wait.PollUntilContextTimeout(s.ctx, 200*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		_, err := s.client.CoreV1().Namespaces().Get(ctx, name, metav1.GetOptions{})
		return apierrors.IsNotFound(err), nil
	})
}

// removeNodes takes the nodes away, once their kubelets have ended the pods, and then the pods of nodes that have no kubelet any more.
func (s *scenario) removeNodes(ctx context.Context) error {
	pods := schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	_ = s.deleteAll(ctx, pods, 3*time.Second) // those of dead nodes remain
	var errs []error
	for _, n := range s.nodes {
		errs = append(errs, n.Remove(ctx))
	}
	errs = append(errs, wait.PollUntilContextTimeout(ctx, 200*time.Millisecond, 20*time.Second, true,
		func(ctx context.Context) (bool, error) {
			list, err := s.client.CoreV1().Pods("").List(ctx, metav1.ListOptions{})
			if err != nil {
				return false, err
			}
			for _, p := range list.Items {
				_ = s.client.CoreV1().Pods(p.Namespace).Delete(ctx, p.Name, *metav1.NewDeleteOptions(0)) // looked at again
			}
			return len(list.Items) == 0, nil
		}))
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("nodes and pods: %w", err)
	}
	return nil
}
