// Package decision answers whether a pre-pull unit runs on a cluster, why, and what it pulls.
package decision

import (
	"encoding/json"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/metallb"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// Tri is true, false or unknown. Unknown is never taken for either.
type Tri int

// The values of a Tri.
const (
	Unknown Tri = iota
	False
	True
)

// Of is the Tri of a boolean.
func Of(b bool) Tri {
	if b {
		return True
	}
	return False
}

// String is true, false or unknown.
func (t Tri) String() string { return [...]string{"unknown", "false", "true"}[t] }

// MarshalJSON writes a boolean, or "unknown".
func (t Tri) MarshalJSON() ([]byte, error) {
	if t == Unknown {
		return []byte(`"unknown"`), nil
	}
	return json.Marshal(t == True)
}

// Decision is the answer for one cluster.
type Decision struct {
	Unit        string          `json:"unit"`
	Environment string          `json:"environment"`
	Active      Tri             `json:"active"`
	Release     Release         `json:"release"`
	Backend     metallb.Backend `json:"backend"`
	Guards      []Guard         `json:"guards"`
	Images      []Image         `json:"images"`
	Warnings    []Warning       `json:"warnings"`
	Errors      []Warning       `json:"errors,omitempty"` // why the answer is no answer: each makes the exit code 2

	Why   string        `json:"-"` // in one line, why the unit is on, off or neither
	Peers metallb.Peers `json:"-"`
}

// Undecided reports whether something that was asked cannot be told.
func (d *Decision) Undecided() bool { return d.Active == Unknown || len(d.Errors) > 0 }

// Release says from where to where the cluster goes.
type Release struct {
	From    string `json:"from"`
	To      string `json:"to"`
	Upgrade Tri    `json:"upgrade"`
}

// Guard is one of the unit's enabled conditions.
type Guard struct {
	Name   string `json:"name"`
	Result string `json:"result"` // true, false or unknown
	Reason string `json:"reason"`
	Source string `json:"source"` // file:line:column, or a flag
}

// The ways in which an image changes on the nodes.
const (
	New     = "new"  // no pod runs this image's repository before
	Bump    = "bump" // another tag runs before
	Same    = "same" // the very image runs before
	Unclear = "unknown"
)

// Image is one image that the unit pulls.
type Image struct {
	Name     string `json:"name"`
	Image    string `json:"image"`
	Previous string `json:"previous"`
	Change   string `json:"change"`
	Source   string `json:"source"`
}

// Warning is advice, or in Errors a reason for no answer, by a rule's name.
type Warning struct {
	Rule   string `json:"rule"`
	Text   string `json:"text"`
	Source string `json:"source"`
	Info   bool   `json:"-"` // nothing to do about it
}

func warning(rule string, at values.Position, text string) Warning {
	return Warning{Rule: rule, Text: strings.TrimSuffix(text, " ("+at.String()+")"), Source: at.String()}
}
