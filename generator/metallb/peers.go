// Package metallb reads what Sylva values say of MetalLB: its BGP peers, its backend, the Helm values of its chart.
package metallb

import (
	"fmt"
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/chart"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/gotpl"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// PeersPath is where Sylva keeps BGP peers, a map by name (since Sylva 1.4).
func PeersPath() []string { return []string{"metallb", "bgp_lbs", "l3_options", "bgp_peers"} }

// Peer is one BGP peer as the values give it. Fields that are absent or not known are empty.
type Peer struct {
	Name              string
	LocalASN, PeerASN string
	Address           string
	BFD               bool // has a bfd_profile
	LearnsRoutes      bool // has receive_routes
	Selectors         *values.Node
	Fields            *values.Node
	At                values.Position
}

// Peers are the BGP peers of a set of values.
type Peers struct {
	List    []Peer
	At      values.Position // of bgp_peers, or of the deepest key above it that is there
	Unknown string          // why they cannot be told
	Shape   string          // what bgp_peers, or the first key on the way that is no map, is instead
	ShapeOf string          // its path
	Absent  []string        // values that a template on the way to the peers reads, and that are not there
}

// ReadPeers reads the peers, interpreted, sorted by name, null ones left out.
func ReadPeers(e *chart.Engine) Peers {
	written, n := e.Values().Deepest(PeersPath()...)
	peers := Peers{At: written.Where()}
	if n == 0 {
		peers.At = values.Position{}
	}
	peers.Absent = absentReads(e, written)
	node, n := deepest(e, n)
	switch {
	case node == nil || node.Kind == values.Null:
	case node.Kind == values.Unknown:
		peers.Unknown = node.Why
	case node.Kind != values.Map:
		peers.Shape, peers.ShapeOf = node.Kind.String(), strings.Join(PeersPath()[:n], ".")
	case n < len(PeersPath()):
		peers.Unknown = node.Partial
	default:
		peers.Unknown = node.Partial
		for _, name := range node.Keys() {
			if field := node.Fields[name]; field.Kind != values.Null {
				peers.List = append(peers.List, readPeer(name, field))
			}
		}
	}
	return peers
}

// deepest is the last node on the way to the peers, interpreted, of which the values have n keys as they are written.
func deepest(e *chart.Engine, n int) (*values.Node, int) {
	if n == 0 {
		return nil, 0
	}
	node := e.Interpreted(PeersPath()[:n]...)
	last, more := node.Deepest(PeersPath()[n:]...)
	return last, n + more
}

func readPeer(name string, fields *values.Node) Peer {
	return Peer{
		Name: name, At: fields.Where(), Fields: fields,
		LocalASN: text(fields.Get("local_asn")), PeerASN: text(fields.Get("peer_asn")), Address: text(fields.Get("peer_address")),
		BFD: set(fields.Get("bfd_profile")), LearnsRoutes: set(fields.Get("receive_routes")), Selectors: fields.Get("node_selectors"),
	}
}

func text(n *values.Node) string {
	if n == nil || n.Kind == values.Unknown || n.Kind == values.Null {
		return ""
	}
	return n.Text
}

// set reports whether a field is there and not empty.
func set(n *values.Node) bool {
	switch {
	case n == nil || n.Kind == values.Null:
		return false
	case n.Kind == values.String:
		return n.Scalar != ""
	case n.Kind == values.Map:
		return len(n.Fields) > 0 || n.Partial != ""
	}
	return true
}

// NeedFRR reports whether a peer asks for what native BGP cannot do: BFD or learning routes.
func (p Peers) NeedFRR() bool {
	return slices.ContainsFunc(p.List, func(peer Peer) bool { return peer.BFD || peer.LearnsRoutes })
}

// String names the peers: "2 BGP peers: tor-a, tor-b".
func (p Peers) String() string {
	var names []string
	for _, peer := range p.List {
		names = append(names, peer.Name)
	}
	switch len(names) {
	case 0:
		return "no BGP peers"
	case 1:
		return "1 BGP peer: " + names[0]
	}
	const most = 8
	if len(names) > most {
		names = append(names[:most], "...")
	}
	return fmt.Sprintf("%d BGP peers: %s", len(p.List), strings.Join(names, ", "))
}

// absentReads are the values that a template reads and that are not there: the template may be meant for other values than these.
func absentReads(e *chart.Engine, n *values.Node) []string {
	if n.Kind != values.String || !gotpl.IsTemplate(n.Text) {
		return nil
	}
	var absent []string
	for _, path := range e.Reads(n.Text) {
		if e.Interpreted(path...) == nil {
			absent = append(absent, strings.Join(path, "."))
		}
	}
	return absent
}
