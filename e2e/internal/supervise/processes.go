package supervise

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// A process is one line of the process table.
type process struct {
	pid, parent int
	name        string
	resident    int64 // bytes
	state       byte
}

// descendants returns the processes that this one started, directly or not, the dead ones not yet reaped included.
func descendants() ([]process, error) {
	all, err := processes()
	if err != nil {
		return nil, err
	}
	known := map[int]bool{os.Getpid(): true}
	var found []process
	for more := true; more; { // the table is not in the order of ancestry
		more = false
		for _, p := range all {
			if known[p.parent] && !known[p.pid] {
				known[p.pid], more = true, true
				found = append(found, p)
			}
		}
	}
	return found, nil
}

func processes() ([]process, error) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	var all []process
	for _, file := range stats {
		text, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) || errors.Is(err, unix.ESRCH) {
			continue // ended meanwhile
		} else if err != nil {
			return nil, err
		}
		p, err := parseStat(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, p)
	}
	return all, nil
}

// parseStat reads /proc/PID/stat, see proc_pid_stat(5). The name stands in parentheses and may hold any character.
func parseStat(text []byte) (process, error) {
	open, shut := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
	if open < 0 || shut < open {
		return process{}, fmt.Errorf("no name in %q", text)
	}
	rest := bytes.Fields(text[shut+1:])
	if len(rest) < 22 {
		return process{}, fmt.Errorf("%d fields after the name in %q, at least 22 expected", len(rest), text)
	}
	pid, err1 := strconv.Atoi(string(bytes.TrimSpace(text[:open])))
	parent, err2 := strconv.Atoi(string(rest[1]))
	pages, err3 := strconv.ParseInt(string(rest[21]), 10, 64)
	p := process{pid: pid, parent: parent, name: string(text[open+1 : shut]), resident: pages * int64(os.Getpagesize()), state: rest[0][0]}
	return p, errors.Join(err1, err2, err3)
}

// endDescendants ends and reaps every descendant, politely at first, and returns how many there were alive.
func endDescendants() (alive int, err error) {
	const polite = 20 // tries of 100 ms with SIGTERM, before SIGKILL
	for try := range 100 {
		for { // reap
			pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
			if pid <= 0 || err != nil {
				break
			}
		}
		left, err := descendants()
		if err != nil {
			return alive, err
		}
		left = slices.DeleteFunc(left, func(p process) bool { return p.state == 'Z' })
		if try == 0 {
			alive = len(left)
		}
		if len(left) == 0 {
			return alive, nil
		}
		signal := unix.SIGTERM
		if try >= polite {
			signal = unix.SIGKILL
		}
		for _, p := range left {
			_ = unix.Kill(p.pid, signal) // it may have ended meanwhile
		}
		time.Sleep(100 * time.Millisecond)
	}
	return alive, errors.New("programs are left that do not end")
}
