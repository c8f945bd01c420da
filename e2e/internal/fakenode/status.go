package fakenode

import (
	"context"
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// pending is the status of a pod that waits for an image; failing names the container whose pull has failed, if one has.
func pending(pod *corev1.Pod, failing, message string) corev1.PodStatus {
	return podStatus(pod, corev1.PodPending, corev1.ConditionFalse, func(container string) corev1.ContainerState {
		waiting := &corev1.ContainerStateWaiting{Reason: "ContainerCreating"}
		if container == failing {
			waiting = &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff", Message: message}
		}
		return corev1.ContainerState{Waiting: waiting}
	})
}

func running(pod *corev1.Pod) corev1.PodStatus {
	now := metav1.Now()
	return podStatus(pod, corev1.PodRunning, corev1.ConditionTrue, func(string) corev1.ContainerState {
		return corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}}
	})
}

func succeeded(pod *corev1.Pod) corev1.PodStatus {
	now := metav1.Now()
	return podStatus(pod, corev1.PodSucceeded, corev1.ConditionFalse, func(string) corev1.ContainerState {
		return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Completed", FinishedAt: now}}
	})
}

func podStatus(pod *corev1.Pod, phase corev1.PodPhase, ready corev1.ConditionStatus, state func(string) corev1.ContainerState,
) corev1.PodStatus {
	now := metav1.Now()
	s := corev1.PodStatus{Phase: phase, StartTime: &now, HostIP: "127.0.0.1", PodIP: "127.0.0.1"}
	for _, kind := range []corev1.PodConditionType{corev1.PodInitialized, corev1.ContainersReady, corev1.PodReady} {
		s.Conditions = append(s.Conditions, corev1.PodCondition{Type: kind, Status: ready, LastTransitionTime: now})
	}
	s.Conditions = append(s.Conditions, corev1.PodCondition{
		Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: now,
	})
	for _, c := range pod.Spec.InitContainers {
		is := state(c.Name)
		if is.Running != nil { // an init container has ended when the others run
			is = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Completed", FinishedAt: now}}
		}
		s.InitContainerStatuses = append(s.InitContainerStatuses, corev1.ContainerStatus{
			Name: c.Name, Image: c.Image, State: is, Ready: is.Terminated != nil,
		})
	}
	for _, c := range pod.Spec.Containers {
		is := state(c.Name)
		up := is.Running != nil
		s.ContainerStatuses = append(s.ContainerStatuses, corev1.ContainerStatus{
			Name: c.Name, Image: c.Image, ImageID: c.Image, State: is, Ready: up, Started: &up,
		})
	}
	return s
}

// setStatus writes the status of this very pod, and not of a later one with its name.
func (n *Node) setStatus(ctx context.Context, pod *corev1.Pod, status corev1.PodStatus) {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": pod.UID}, "status": status})
	if err != nil {
		panic(err) // these types always marshal
	}
	for ctx.Err() == nil {
		_, err := n.client.CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, types.MergePatchType, patch, metav1.PatchOptions{}, "status")
		if err == nil || apierrors.IsNotFound(err) || apierrors.IsConflict(err) || apierrors.IsInvalid(err) {
			return
		}
		time.Sleep(200 * time.Millisecond) // the API server is busy
	}
}
