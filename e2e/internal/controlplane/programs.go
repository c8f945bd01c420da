package controlplane

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// A program is one that runs.
type program struct {
	command *exec.Cmd
	ended   chan struct{}
}

func (c *ControlPlane) startControllers() error {
	common := []string{"--kubeconfig=" + c.Kubeconfig, "--leader-elect=false", "--secure-port=0"}
	manager, err := c.start("kube-controller-manager", nil, append(common, "--kube-api-qps=200", "--kube-api-burst=400")...)
	if err != nil {
		return err
	}
	scheduler, err := c.start("kube-scheduler", nil, common...)
	c.programs = append(c.programs, manager, scheduler)
	if err != nil {
		return err
	}
	return c.startFlux()
}

// startFlux starts the kustomize-controller. Failing dependencies are looked at every 2 s instead of every 30 s: it changes how
// long a scenario takes, and not what happens.
func (c *ControlPlane) startFlux() (err error) {
	c.flux, err = c.start("kustomize-controller", []string{"KUBECONFIG=" + c.Kubeconfig, "RUNTIME_NAMESPACE=flux-system"},
		"--enable-leader-election=false", "--watch-all-namespaces=true", "--no-remote-bases=true",
		"--health-addr=127.0.0.1:0", "--metrics-addr=0", "--requeue-dependency=2s")
	return err
}

// RestartFlux ends the kustomize-controller and starts it anew: the only way to end a health check that waits.
func (c *ControlPlane) RestartFlux() error {
	c.flux.stop()
	return c.startFlux()
}

func (c *ControlPlane) start(name string, env []string, args ...string) (*program, error) {
	log, err := os.OpenFile(filepath.Join(c.options.Logs, name+".log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	c.logs = append(c.logs, log)
	p := &program{command: exec.Command(filepath.Join(c.options.Bin, name), args...), ended: make(chan struct{})}
	p.command.Stdout, p.command.Stderr = log, log
	p.command.Env = append(os.Environ(), env...)
	p.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	go func() {
		_ = p.command.Wait() // the scheduler says 1 on SIGTERM, whatever it did
		close(p.ended)
	}()
	return p, nil
}

// stop ends the program's process group, and waits for it.
func (p *program) stop() {
	group := -p.command.Process.Pid
	_ = syscall.Kill(group, syscall.SIGTERM) // it may have ended
	select {
	case <-p.ended:
	case <-time.After(10 * time.Second):
		_ = syscall.Kill(group, syscall.SIGKILL)
		<-p.ended
	}
}

// Alive returns an error that names the programs that have ended by themselves.
func (c *ControlPlane) Alive() error {
	for _, p := range append(c.programs[:len(c.programs):len(c.programs)], c.flux) {
		select {
		case <-p.ended:
			return fmt.Errorf("%s has ended: %s; see %s", p.command.Path, p.command.ProcessState, c.options.Logs)
		default:
		}
	}
	return nil
}
