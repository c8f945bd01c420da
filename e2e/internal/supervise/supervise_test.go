package supervise

import (
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestParseStat(t *testing.T) {
	rest := " S 17 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 100 4096 3 0 0\n"
	for text, want := range map[string]process{
		"42 (etcd)" + rest:           {pid: 42, parent: 17, name: "etcd", state: 'S'},
		"7 (a b) c) S 1 (x))" + rest: {pid: 7, parent: 17, name: "a b) c) S 1 (x)", state: 'S'},
	} {
		got, err := parseStat([]byte(text))
		if err != nil || got.resident%3 != 0 || got.resident == 0 {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
		got.resident = 0
		if got != want {
			t.Errorf("%q: %+v, wanted %+v", text, got, want)
		}
	}
	for _, text := range []string{"", "42", "42 (etcd", "42 (etcd) S 1", "x (etcd)" + rest, ") 1 (" + rest} {
		if got, err := parseStat([]byte(text)); err == nil {
			t.Errorf("%q: %+v and no error", text, got)
		}
	}
}

// Orphans are found and ended, those that do not listen to SIGTERM too.
func TestEndDescendants(t *testing.T) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		t.Skip("no subreaper here: ", err)
	}
	const deaf = `trap "" TERM; while :; do sleep 0.1; done`
	if err := exec.Command("sh", "-c", "sleep 300 >/dev/null 2>&1 & sh -c '"+deaf+"' >/dev/null 2>&1 &").Run(); err != nil {
		t.Fatal(err)
	}
	left, err := descendants()
	if err != nil || len(left) < 2 {
		t.Fatalf("%v, %v: two orphans were left", left, err)
	}
	if alive, err := endDescendants(); err != nil || alive < 2 {
		t.Errorf("%d were ended: %v", alive, err)
	}
	if left, err := descendants(); err != nil || len(left) > 0 {
		t.Errorf("still there: %v, %v", left, err)
	}
}

func TestSummary(t *testing.T) {
	p := summary(map[string]int64{"small": 5, "etcd": 3 << 20, "server": 9 << 20}, 11<<20)
	var names []string
	for _, each := range p.programs {
		names = append(names, each.name)
	}
	if got := strings.Join(names, " "); got != "server etcd" || p.total != 11<<20 {
		t.Errorf("%q, %d", got, p.total)
	}
}
