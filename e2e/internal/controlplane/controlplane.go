// Package controlplane runs what decides in a cluster - etcd, the API server, the controllers of Kubernetes, the scheduler and Flux's
// kustomize-controller, all built from their own modules - as programs on the loopback interface.
package controlplane

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// Options say where things are.
type Options struct {
	Bin  string   // directory of the programs
	Logs string   // directory of their logs, one file a program
	Work string   // directory of the kubeconfig
	CRDs []string // directories of custom resource definitions
}

// A ControlPlane runs until it is stopped.
type ControlPlane struct {
	Config     *rest.Config // of a member of system:masters
	Kubeconfig string       // file of the same user

	options  Options
	env      *envtest.Environment
	logs     []*os.File
	programs []*program
	flux     *program
}

// Start starts everything, and returns once the API server serves the CRDs and all other programs run.
func Start(o Options) (*ControlPlane, error) {
	c := &ControlPlane{options: o}
	old, err := filepath.Glob(filepath.Join(o.Logs, "*.log"))
	for _, file := range old {
		err = errors.Join(err, os.Remove(file))
	}
	if err := errors.Join(err, os.MkdirAll(o.Logs, 0o755), os.MkdirAll(o.Work, 0o755)); err != nil {
		return nil, err
	}
	err = c.startAPIServer()
	if err == nil {
		err = c.startControllers()
	}
	if err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

func (c *ControlPlane) startAPIServer() error {
	bin, err := filepath.Abs(c.options.Bin)
	if err != nil {
		return err
	}
	c.env = &envtest.Environment{
		BinaryAssetsDirectory:    bin,
		CRDDirectoryPaths:        c.options.CRDs,
		ErrorIfCRDPathMissing:    true,
		ControlPlaneStartTimeout: 3 * time.Minute,
		ControlPlaneStopTimeout:  time.Minute,
	}
	etcdLog, err1 := c.log("etcd")
	serverLog, err2 := c.log("kube-apiserver")
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	c.env.ControlPlane.Etcd = &envtest.Etcd{Out: etcdLog, Err: etcdLog}
	server := c.env.ControlPlane.GetAPIServer()
	server.Out, server.Err = serverLog, serverLog
	// envtest turns the admission of service accounts off: here it stays on, as in a cluster
	server.Configure().Set("disable-admission-plugins", "StorageObjectInUseProtection")
	if c.Config, err = c.env.Start(); err != nil {
		return fmt.Errorf("start etcd and kube-apiserver, see %s: %w", c.options.Logs, err)
	}
	c.Config.QPS = -1 // no client-side limit
	return c.writeKubeconfig()
}

func (c *ControlPlane) writeKubeconfig() error {
	user, err := c.env.AddUser(envtest.User{Name: "e2e", Groups: []string{"system:masters"}}, nil)
	if err != nil {
		return err
	}
	text, err := user.KubeConfig()
	if err != nil {
		return err
	}
	c.Kubeconfig = filepath.Join(c.options.Work, "kubeconfig")
	return os.WriteFile(c.Kubeconfig, text, 0o600)
}

func (c *ControlPlane) log(name string) (*os.File, error) {
	f, err := os.Create(filepath.Join(c.options.Logs, name+".log"))
	if err == nil {
		c.logs = append(c.logs, f)
	}
	return f, err
}

// Stop ends all programs.
func (c *ControlPlane) Stop() error {
	var errs []error
	for _, p := range append(c.programs, c.flux) {
		if p != nil {
			p.stop()
		}
	}
	if c.env != nil {
		errs = append(errs, c.env.Stop())
	}
	for _, f := range c.logs {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}
