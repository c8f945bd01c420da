package decision

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/metallb"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// oldLocation: up to Sylva 1.3 the BGP values stood under cluster.metallb, where nothing reads them any more.
func oldLocation(c *Case, _ *Decision) []finding {
	old := c.Set.User.Get("cluster", "metallb", "bgp_lbs")
	if c.Unit.Holds != metallbUnit || !given(old) {
		return nil
	}
	return one(old.Where(), "cluster.metallb.bgp_lbs is where Sylva up to 1.3 had the BGP peers: it is ignored, move it to metallb.bgp_lbs")
}

// peersTemplate: a template that comes to no peers because what it reads is not there.
func peersTemplate(c *Case, _ *Decision) []finding {
	if absent := c.Peers.Absent; c.Set.Core && c.metallbOn() && len(absent) > 0 && len(c.Peers.List) == 0 {
		return one(c.Peers.At, fmt.Sprintf("the peers are a template that reads %s, which is not among these values: it comes to no peers", strings.Join(absent, ", ")))
	}
	return nil
}

// peerFields: sylva-units' schema refuses fields that it does not know (values.schema.yaml of 2025-08).
func peerFields(c *Case, _ *Decision) []finding {
	allowed := []string{"local_asn", "peer_asn", "peer_address", "password", "passwordSecret", "bfd_profile", "node_selectors", "advertised_pools", "receive_routes"}
	var out []finding
	for _, peer := range c.Peers.List {
		if kind := peer.Fields.Kind; kind != values.Map && kind != values.Unknown {
			out = append(out, finding{peer.At, fmt.Sprintf("BGP peer %s is %s: a map of its fields is due (%s), and the chart may refuse anything else", peer.Name, kind, strings.Join(allowed, ", "))})
		}
		for _, key := range peer.Fields.Keys() {
			if !slices.Contains(allowed, key) {
				out = append(out, finding{peer.Fields.Fields[key].Where(), fmt.Sprintf("BGP peer %s: the field %s is not one that the schema of sylva-units knows (%s): the chart may refuse it", peer.Name, key, strings.Join(allowed, ", "))})
			}
		}
	}
	return out
}

// peerASNs: FRR takes one local AS number a node, native BGP one a peer.
func peerASNs(c *Case, d *Decision) []finding {
	return c.pairs(d, func(a, b metallb.Peer) string {
		if a.LocalASN == "" || b.LocalASN == "" || a.LocalASN == b.LocalASN {
			return ""
		}
		return fmt.Sprintf("BGP peers %s and %s have different local_asn (%s, %s) and can share a node: frr-k8s refuses that, where native BGP took it; give them disjoint node_selectors", a.Name, b.Name, a.LocalASN, b.LocalASN)
	})
}

// peerAddresses: FRR identifies a peer by its address.
func peerAddresses(c *Case, d *Decision) []finding {
	return c.pairs(d, func(a, b metallb.Peer) string {
		if a.Address == "" || a.Address != b.Address {
			return ""
		}
		return fmt.Sprintf("BGP peers %s and %s have the same peer_address %s and can share a node: frr-k8s refuses that", a.Name, b.Name, a.Address)
	})
}

// pairs looks at every two peers that can share a node, where frr-k8s runs. One finding is enough.
func (c *Case) pairs(d *Decision, look func(a, b metallb.Peer) string) []finding {
	if !c.runsFRR(d) {
		return nil
	}
	for i, a := range c.Peers.List {
		for _, b := range c.Peers.List[i+1:] {
			if text := look(a, b); text != "" && metallb.CanShareNode(a, b) {
				return one(b.At, text)
			}
		}
	}
	return nil
}

// peersMultihop: an eBGP session over a router needs ebgpMultiHop in FRR and nothing in native BGP. Told where the values give the
// nodes' networks.
func peersMultihop(c *Case, d *Decision) []finding {
	networks := c.nodeNetworks()
	if !c.runsFRR(d) || len(networks) == 0 || d.Backend.Before != metallb.Native {
		return nil
	}
	var out []finding
	for _, peer := range c.Peers.List {
		address, err := netip.ParseAddr(peer.Address)
		if err != nil || peer.LocalASN == "" || peer.LocalASN == peer.PeerASN {
			continue
		}
		if !slices.ContainsFunc(networks, func(network netip.Prefix) bool { return network.Contains(address) }) {
			out = append(out, finding{peer.At, fmt.Sprintf("eBGP peer %s (%s) is on none of the nodes' networks: native BGP reaches it over a router, FRR only with ebgpMultiHop", peer.Name, peer.Address)})
		}
	}
	return out
}

// nodeNetworks are the subnets of bare-metal nodes (cluster.capm3.networks).
func (c *Case) nodeNetworks() []netip.Prefix {
	networks := c.Engine.Interpreted("cluster", "capm3", "networks")
	if networks == nil || networks.Kind != values.Map {
		return nil
	}
	var out []netip.Prefix
	for _, name := range networks.Keys() {
		subnet := networks.Get(name, "subnet")
		if subnet == nil || subnet.Kind != values.String {
			continue
		}
		if prefix, err := netip.ParsePrefix(subnet.Text); err == nil {
			out = append(out, prefix)
		}
	}
	return out
}

// bfdNative: a BFD profile makes native BGP refuse its whole configuration.
func bfdNative(c *Case, d *Decision) []finding {
	profiles := c.Engine.Interpreted("metallb", "bgp_lbs", "l3_options", "bfd_profiles")
	if !c.metallbOn() || d.Backend.After != metallb.Native || !given(profiles) && !c.Peers.NeedFRR() {
		return nil
	}
	at := c.Peers.At
	if profiles != nil {
		at = profiles.Where()
	}
	return one(at, "BFD or route learning is asked for, and native BGP stays: MetalLB refuses the whole configuration then; set metallb_helm_values.frrk8s.enabled")
}
