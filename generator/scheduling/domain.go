package scheduling

import (
	"slices"
	"strconv"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// requirement is one condition on a label or field of a node, as in a node affinity (k8s.io/api core/v1 NodeSelectorRequirement).
type requirement struct {
	key, operator string
	values        []string
	at            values.Position
}

// domain is what a label of a node may be: absent, or one of the values.
type domain struct {
	absent  bool
	only    []string // the values that may be; nil for any
	not     []string // of these, the values that may not be
	above   *int64   // the value is a greater number
	below   *int64   // the value is a smaller number
	nothing bool     // no value at all may be
}

// anything is a label of which nothing is known.
func anything() domain { return domain{absent: true} }

// narrowed is the domain with a requirement on top.
func (d domain) narrowed(r requirement) domain {
	bound, err := number(r.values)
	switch r.operator {
	case "In":
		d.absent = false
		if d.only == nil {
			d.only = append([]string{}, r.values...)
		} else {
			d.only = slices.DeleteFunc(slices.Clone(d.only), func(v string) bool { return !slices.Contains(r.values, v) })
		}
	case "NotIn":
		d.not = append(slices.Clone(d.not), r.values...)
	case "Exists":
		d.absent = false
	case "DoesNotExist":
		d.nothing = true
	case "Gt":
		d.absent = false
		if err == nil && (d.above == nil || bound > *d.above) {
			d.above = &bound
		}
	case "Lt":
		d.absent = false
		if err == nil && (d.below == nil || bound < *d.below) {
			d.below = &bound
		}
	}
	return d
}

// allows reports whether the label may have a value.
func (d domain) allows(value string) bool {
	if d.nothing || slices.Contains(d.not, value) || d.only != nil && !slices.Contains(d.only, value) {
		return false
	}
	if d.above == nil && d.below == nil {
		return true
	}
	n, err := strconv.ParseInt(value, 10, 64)
	return err == nil && (d.above == nil || n > *d.above) && (d.below == nil || n < *d.below)
}

// finite are the values that may be, where they can be counted.
func (d domain) finite() ([]string, bool) {
	if d.nothing {
		return nil, true
	}
	if d.only == nil {
		return nil, false
	}
	return slices.DeleteFunc(slices.Clone(d.only), func(v string) bool { return !d.allows(v) }), true
}

// empty reports whether no node can be like that.
func (d domain) empty() bool {
	list, counted := d.finite()
	return !d.absent && counted && len(list) == 0
}

// implies reports whether every label of the domain meets a requirement. An operator that is not known is met by none.
func (d domain) implies(r requirement) bool {
	list, counted := d.finite()
	switch r.operator {
	case "In":
		return !d.absent && counted && !slices.ContainsFunc(list, func(v string) bool { return !slices.Contains(r.values, v) })
	case "NotIn":
		return !slices.ContainsFunc(r.values, d.allows)
	case "Exists":
		return !d.absent
	case "DoesNotExist":
		return counted && len(list) == 0
	case "Gt", "Lt":
		return !d.absent && d.bounded(r, list, counted)
	}
	return false
}

// bounded reports whether all values are numbers on the side of a bound that Gt or Lt asks for.
func (d domain) bounded(r requirement, list []string, counted bool) bool {
	bound, err := number(r.values)
	if err != nil {
		return false
	}
	if counted {
		meets := domain{}.narrowed(r)
		return !slices.ContainsFunc(list, func(v string) bool { return !meets.allows(v) })
	}
	if r.operator == "Gt" {
		return d.above != nil && *d.above >= bound
	}
	return d.below != nil && *d.below <= bound
}

func number(texts []string) (int64, error) {
	if len(texts) != 1 {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseInt(texts[0], 10, 64)
}
