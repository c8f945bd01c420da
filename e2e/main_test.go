package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/controlplane"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/prepull"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/source"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/supervise"
)

// A cluster is what all scenarios share: one after the other they have it for themselves.
type cluster struct {
	plane   *controlplane.ControlPlane
	client  *kubernetes.Clientset
	dynamic dynamic.Interface
	source  *source.Server
	program prepull.Program
}

// shared is set once, by TestMain.
var shared *cluster

func TestMain(m *testing.M) {
	os.Exit(supervise.Run(os.Stdout, func() int {
		began := time.Now()
		c, err := start()
		if err != nil {
			fmt.Fprintln(os.Stderr, "e2e:", err)
			return 2
		}
		fmt.Printf("e2e: the control plane is up after %.1f s\n", time.Since(began).Seconds())
		shared = c
		code := m.Run()
		if err := errors.Join(c.source.Close(), c.plane.Stop()); err != nil {
			fmt.Fprintln(os.Stderr, "e2e: stop:", err)
			return 2
		}
		return code
	}))
}

// start starts the control plane, and sets up what a Sylva cluster has beside Flux: its namespaces and its admission.
func start() (*cluster, error) {
	program, err := filepath.Abs("../bin/sylva-prepull")
	if err != nil {
		return nil, err
	}
	for _, file := range []string{program, "bin/etcd", "bin/kustomize-controller"} {
		if _, err := os.Stat(file); err != nil {
			return nil, fmt.Errorf("%w: run \"make e2e\" at the top of the repository, which builds it", err)
		}
	}
	crds, err := controlplane.FluxCRDs()
	if err != nil {
		return nil, err
	}
	c := &cluster{program: prepull.Program{Path: program, Dir: ".."}}
	options := controlplane.Options{Bin: "bin", Logs: "bin/logs", Work: os.TempDir(), CRDs: crds}
	if c.plane, err = controlplane.Start(options); err != nil {
		return nil, err
	}
	if err := c.setUp(context.Background()); err != nil {
		return nil, errors.Join(err, c.plane.Stop())
	}
	return c, nil
}

func (c *cluster) setUp(ctx context.Context) (err error) {
	if c.client, err = kubernetes.NewForConfig(c.plane.Config); err != nil {
		return err
	}
	if c.dynamic, err = dynamic.NewForConfig(c.plane.Config); err != nil {
		return err
	}
	if c.source, err = source.Serve(c.dynamic); err != nil {
		return err
	}
	if err := c.applyDirectory(ctx, "testdata/cluster"); err != nil {
		return err
	}
	// pods are refused until their service account is there, and a quota counts once it has been reckoned
	return wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		_, err := c.client.CoreV1().ServiceAccounts(system).Get(ctx, "default", metav1.GetOptions{})
		if err != nil {
			return false, client.IgnoreNotFound(err)
		}
		quota, err := c.client.CoreV1().ResourceQuotas(system).Get(ctx, "compute", metav1.GetOptions{})
		return err == nil && len(quota.Status.Hard) > 0, err
	})
}
