package supervise

import (
	"cmp"
	"slices"
	"time"
)

// peak is the most memory seen: of all descendants at one time, and of each program.
type peak struct {
	total    int64
	programs []programPeak
}

type programPeak struct {
	name  string
	bytes int64
}

// watchMemory samples the resident memory of all descendants until the function that it returns is called. Pages that processes
// share count once for each.
func watchMemory(every time.Duration) func() peak {
	stop, result := make(chan struct{}), make(chan peak)
	go func() {
		most, total := map[string]int64{}, int64(0)
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				total = max(total, sample(most))
			case <-stop:
				result <- summary(most, total)
				return
			}
		}
	}()
	return func() peak {
		close(stop)
		return <-result
	}
}

// sample returns what all descendants use now, and keeps the most that each program used.
func sample(most map[string]int64) (total int64) {
	now, err := descendants()
	if err != nil {
		return 0 // the next sample will tell
	}
	byName := map[string]int64{}
	for _, p := range now {
		byName[p.name] += p.resident
		total += p.resident
	}
	for name, bytes := range byName {
		most[name] = max(most[name], bytes)
	}
	return total
}

func summary(most map[string]int64, total int64) peak {
	p := peak{total: total}
	for name, bytes := range most {
		if bytes >= 1<<20 {
			p.programs = append(p.programs, programPeak{name, bytes})
		}
	}
	slices.SortFunc(p.programs, func(a, b programPeak) int {
		return cmp.Or(-cmp.Compare(a.bytes, b.bytes), cmp.Compare(a.name, b.name))
	})
	return p
}
