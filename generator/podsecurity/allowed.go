package podsecurity

import (
	"slices"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// volumeKinds are the types of volume that are allowed.
func volumeKinds() []string {
	return []string{"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "image", "persistentVolumeClaim", "projected", "secret"}
}

// volumeKind is a volume's type: an allowed one where it has several, and unknown where it has none.
func volumeKind(volume *values.Node) string {
	kind := "unknown"
	for _, key := range volume.Keys() {
		if key == "name" || !set(volume.Fields[key]) {
			continue
		}
		if slices.Contains(volumeKinds(), key) {
			return key
		}
		kind = key
	}
	return kind
}

func safeSysctls() []string {
	return []string{
		"kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range", "net.ipv4.tcp_syncookies", "net.ipv4.ping_group_range",
		"net.ipv4.ip_unprivileged_port_start", "net.ipv4.ip_local_reserved_ports", "net.ipv4.tcp_keepalive_time", "net.ipv4.tcp_fin_timeout",
		"net.ipv4.tcp_keepalive_intvl", "net.ipv4.tcp_keepalive_probes",
	}
}

func selinuxTypes() []string {
	return []string{"", "container_t", "container_init_t", "container_kvm_t"}
}

func localProfile(profile *values.Node) bool {
	kind := profile.Get("type").AsText()
	return kind == "RuntimeDefault" || kind == "Localhost"
}

// set reports whether a field is there and not null.
func set(n *values.Node) bool { return n != nil && n.Kind != values.Null }
