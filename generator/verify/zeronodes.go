package verify

import (
	"regexp"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// zeroNodes: kstatus takes a DaemonSet with 0 desired pods for Current. The expressions are not evaluated but recognised: one that is
// not recognised is reported, however right it may be.
func zeroNodes(c *checker) error {
	for _, p := range c.withSpec() {
		if !waits(p.spec) && len(healthChecks(p.spec)) == 0 {
			continue // no-healthcheck says so
		}
		c.look(1)
		expressions := expressionsFor(p.spec, "apps", "DaemonSet")
		switch {
		case len(expressions) == 0:
			c.find(p.at, "%s has no healthCheckExprs for apps/v1 DaemonSet: with no node that matches it is healthy at once", c.name(p))
		case len(expressions) > 1:
			c.find(expressions[1].At, "%s has healthCheckExprs for DaemonSets twice, which Flux refuses", c.name(p))
		case !holdsZero(expressions[0]):
			c.find(expressions[0].At, "the healthCheckExprs of %s do not hold a DaemonSet with 0 desired pods, as far as can be told", c.name(p))
		}
	}
	return nil
}

// expressionsFor are the entries of healthCheckExprs for a kind: Flux takes them by group and kind, and only one of each
// (fluxcd/pkg runtime/cel NewStatusReader).
func expressionsFor(spec *values.Node, group, kind string) []*values.Node {
	var found []*values.Node
	for _, each := range spec.Get("healthCheckExprs").List() {
		of, _, _ := strings.Cut(each.Get("apiVersion").AsText(), "/")
		if of == group && each.Get("kind").AsText() == kind {
			found = append(found, each)
		}
	}
	return found
}

// holdsZero reports whether 0 desired pods are in progress: by an alternative of inProgress, or by a part of current that excludes them.
// Flux asks inProgress, failed and current in this order, and what meets none is in progress (fluxcd/pkg runtime/cel StatusEvaluator).
func holdsZero(expressions *values.Node) bool {
	zero := regexp.MustCompile(`^(status\.desiredNumberScheduled(==0|<1|<=0)|0==status\.desiredNumberScheduled)$`)
	counts := "desiredNumberScheduled|currentNumberScheduled|numberReady|numberAvailable|updatedNumberScheduled"
	some := regexp.MustCompile(`^status\.(` + counts + `)(>0|>=1|!=0)$`)
	return anyOperand(expressions.Get("inProgress").AsText(), "||", zero) || anyOperand(expressions.Get("current").AsText(), "&&", some)
}

// anyOperand reports whether one of the operands of an expression, joined by one operator, matches.
func anyOperand(expression, operator string, pattern *regexp.Regexp) bool {
	expression = strings.Join(strings.Fields(expression), "")
	operands, ok := split(expression, operator)
	if !ok {
		return false
	}
	for _, operand := range operands {
		inner, wrapped := unwrapped(operand)
		if pattern.MatchString(inner) || wrapped && anyOperand(inner, operator, pattern) {
			return true
		}
	}
	return false
}

// split cuts an expression at the operators outside of brackets and strings. It refuses what binds less than the operator: a condition
// (?:), and || where the operator is &&.
func split(expression, operator string) ([]string, bool) {
	var operands []string
	depth, start, quote := 0, 0, byte(0)
	for i := 0; i < len(expression); i++ {
		char := expression[i]
		switch {
		case quote != 0:
			if char == '\\' {
				i++
			} else if char == quote {
				quote = 0
			}
		case char == '"' || char == '\'':
			quote = char
		case strings.IndexByte("([{", char) >= 0:
			depth++
		case strings.IndexByte(")]}", char) >= 0:
			depth--
		case depth > 0:
		case char == '?':
			return nil, false
		case strings.HasPrefix(expression[i:], operator):
			operands = append(operands, expression[start:i])
			start = i + len(operator)
			i = start - 1
		case operator == "&&" && strings.HasPrefix(expression[i:], "||"):
			return nil, false
		}
	}
	return append(operands, expression[start:]), depth == 0 && quote == 0
}

// unwrapped is an operand without brackets around the whole of it.
func unwrapped(operand string) (string, bool) {
	if !strings.HasPrefix(operand, "(") || !strings.HasSuffix(operand, ")") {
		return operand, false
	}
	depth := 0
	for i := 0; i < len(operand)-1; i++ {
		switch operand[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			return operand, false
		}
	}
	return operand[1 : len(operand)-1], true
}
