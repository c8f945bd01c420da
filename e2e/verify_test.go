package e2e

import (
	"strings"

	"sigs.k8s.io/yaml"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/e2e/internal/prepull"
)

// verify runs the program's verify on the Kustomizations of a release.
func (s *scenario) verify(r release) prepull.Answer {
	s.Helper()
	var stream strings.Builder
	for _, k := range r.kustomizations {
		text, err := yaml.Marshal(k.Object)
		s.must(err)
		stream.WriteString("---\n" + string(text))
	}
	answer, err := s.program.Run(stream.String(), "verify", "-r", "-")
	s.must(err)
	return answer
}

// verified checks that verify finds no fault in a release.
func (s *scenario) verified(r release) {
	s.Helper()
	if answer := s.verify(r); answer.Code != 0 || answer.Stdout != "" {
		s.Errorf("verify: exit code %d\n%s%s", answer.Code, answer.Stdout, answer.Stderr)
	}
}

// faulty checks that verify finds a fault in a release, and no other.
func (s *scenario) faulty(r release, rule string) {
	s.Helper()
	answer := s.verify(r)
	if answer.Code != 1 || strings.Count(answer.Stdout, "\n") != 1 || !strings.Contains(answer.Stdout, " "+rule+" ") {
		s.Errorf("verify: exit code %d, wanted 1 for %s alone\n%s%s", answer.Code, rule, answer.Stdout, answer.Stderr)
	}
	s.mark("verify says: %s", strings.TrimSpace(answer.Stdout))
}
