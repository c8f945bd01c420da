// Package supervise runs a test program in a child, so that whatever ends the child - success, a failed test, a timeout, Ctrl-C, a
// crash - no program that it started outlives it, and what the whole tree of processes cost is known. It needs Linux.
package supervise

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// childMark tells the child that it is one.
const childMark = "E2E_SUPERVISED"

// Run calls run in a copy of this program and returns its exit code. The copy gets a TMPDIR of its own, removed afterwards. An
// interrupt ends everything; the code is then 130. The cost is printed to out.
func Run(out io.Writer, run func() int) int {
	if os.Getenv(childMark) != "" {
		return run()
	}
	code, err := parent(out)
	if err != nil {
		fmt.Fprintln(out, "e2e:", err)
		return 2
	}
	return code
}

func parent(out io.Writer) (int, error) {
	// orphans of the child become children of this process and not of init: they can be found and ended
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return 0, fmt.Errorf("become a subreaper: %w", err)
	}
	tmp, err := os.MkdirTemp("", "sylva-prepull-e2e-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(tmp)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)

	began := time.Now()
	ended, err := startChild(tmp)
	if err != nil {
		return 0, err
	}
	memory := watchMemory(500 * time.Millisecond)
	exit := 130
	select {
	case exit = <-ended:
	case s := <-signals:
		fmt.Fprintf(out, "e2e: %s: ending all programs\n", s)
	}
	left, err := endDescendants()
	if err != nil {
		return 0, err
	}
	printCost(out, time.Since(began), memory(), left)
	return exit, nil
}

// startChild starts this program once more, in a process group of its own that a Ctrl-C in the terminal does not reach. The child
// dies with the thread that starts it, which therefore lives as long as this process.
func startChild(tmp string) (<-chan int, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	child := exec.Command(self, os.Args[1:]...)
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	child.Env = append(os.Environ(), childMark+"=1", "TMPDIR="+tmp)
	child.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	started, ended := make(chan error, 1), make(chan int, 1)
	go func() {
		runtime.LockOSThread()
		err := child.Start()
		started <- err
		if err != nil {
			return
		}
		_ = child.Wait() // a failure is in the state
		ended <- code(child.ProcessState)
	}()
	return ended, <-started
}

// code is the exit code of a process, 1 if a signal has ended it.
func code(state *os.ProcessState) int {
	if state.Exited() {
		return state.ExitCode()
	}
	return 1
}

func printCost(out io.Writer, wall time.Duration, m peak, left int) {
	var use unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_CHILDREN, &use) // cannot fail with these arguments
	fmt.Fprintf(out, "e2e cost: %.0f s wall, %.0f s user + %.0f s system CPU, peak memory of all processes %d MiB\n",
		wall.Seconds(), time.Duration(use.Utime.Nano()).Seconds(), time.Duration(use.Stime.Nano()).Seconds(), m.total>>20)
	for _, p := range m.programs {
		fmt.Fprintf(out, "  %-24s peak %4d MiB\n", p.name, p.bytes>>20)
	}
	fmt.Fprintf(out, "  programs still running at the end, ended then: %d\n", left)
}
