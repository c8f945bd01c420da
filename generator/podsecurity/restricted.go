// Package podsecurity checks pods against the level "restricted" of the Pod Security Standards (k8s.io/pod-security-admission/policy):
// what each of the versions 1.30 to 1.36 of Kubernetes allows on Linux nodes is allowed, and nothing else.
package podsecurity

import (
	"fmt"
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// Violation is something of a pod that the level does not allow.
type Violation struct {
	Text string
	At   values.Position
}

// Restricted are the violations of a pod template (metadata and spec), in the order of its fields.
func Restricted(template *values.Node) []Violation {
	c := &checker{pod: template.Get("spec")}
	c.annotations(template.Get("metadata", "annotations"))
	c.podFields()
	for _, list := range []string{"initContainers", "containers", "ephemeralContainers"} {
		for _, container := range c.pod.Get(list).List() {
			c.container(container)
		}
	}
	return c.found
}

type checker struct {
	pod   *values.Node
	found []Violation
}

// refuse adds a violation at a node, or at the one that lacks it.
func (c *checker) refuse(n, holder *values.Node, format string, args ...any) {
	at := n.Where()
	if n == nil {
		at = holder.Where()
	}
	c.found = append(c.found, Violation{fmt.Sprintf(format, args...), at})
}

func (c *checker) annotations(annotations *values.Node) {
	for _, key := range annotations.Keys() {
		profile := annotations.Fields[key].AsText()
		if strings.HasPrefix(key, "container.apparmor.security.beta.kubernetes.io/") && profile != "" && profile != "runtime/default" && !strings.HasPrefix(profile, "localhost/") {
			c.refuse(annotations.Fields[key], nil, "the annotation %s is %q, and not runtime/default or localhost/...", key, profile)
		}
	}
}

func (c *checker) podFields() {
	for _, field := range []string{"hostNetwork", "hostPID", "hostIPC"} {
		if n := c.pod.Get(field); n.Is(true) {
			c.refuse(n, nil, "%s is true", field)
		}
	}
	for _, volume := range c.pod.Get("volumes").List() {
		if kind := volumeKind(volume); !slices.Contains(volumeKinds(), kind) {
			c.refuse(volume, nil, "volume %s is of type %s", volume.Get("name").AsText(), kind)
		}
	}
	for _, each := range c.pod.Get("securityContext", "sysctls").List() {
		if name := each.Get("name").AsText(); !slices.Contains(safeSysctls(), name) {
			c.refuse(each, nil, "the sysctl %s is not among the safe ones", name)
		}
	}
	c.context(c.pod.Get("securityContext"), "the pod")
}

// context checks what the security contexts of a pod and of a container have in common, where it is set.
func (c *checker) context(context *values.Node, whose string) {
	if n := context.Get("runAsNonRoot"); n.Is(false) {
		c.refuse(n, nil, "%s has runAsNonRoot: false", whose)
	}
	if n := context.Get("runAsUser"); n.AsText() == "0" {
		c.refuse(n, nil, "%s has runAsUser: 0", whose)
	}
	for _, each := range []struct{ field, what string }{{"seccompProfile", "seccomp"}, {"appArmorProfile", "AppArmor"}} {
		if profile := context.Get(each.field); set(profile) && !localProfile(profile) {
			c.refuse(profile, nil, "%s has the %s profile %q, and not RuntimeDefault or Localhost", whose, each.what, profile.Get("type").AsText())
		}
	}
	if n := context.Get("seLinuxOptions", "type"); !slices.Contains(selinuxTypes(), n.AsText()) {
		c.refuse(n, nil, "%s has the SELinux type %s", whose, n.AsText())
	}
	for _, field := range []string{"user", "role"} {
		if n := context.Get("seLinuxOptions", field); n.AsText() != "" {
			c.refuse(n, nil, "%s sets an SELinux %s", whose, field)
		}
	}
	if n := context.Get("windowsOptions", "hostProcess"); n.Is(true) {
		c.refuse(n, nil, "%s is a Windows host process", whose)
	}
}

func (c *checker) container(container *values.Node) {
	whose := "container " + container.Get("name").AsText()
	context, pod := container.Get("securityContext"), c.pod.Get("securityContext")
	c.context(context, whose)
	if !set(context.Get("runAsNonRoot")) && !pod.Get("runAsNonRoot").Is(true) {
		c.refuse(context, container, "%s does not set runAsNonRoot: true, nor does the pod", whose)
	}
	if n := context.Get("privileged"); n.Is(true) {
		c.refuse(n, nil, "%s is privileged", whose)
	}
	if n := context.Get("procMount"); n.AsText() != "" && n.AsText() != "Default" {
		c.refuse(n, nil, "%s has procMount: %s", whose, n.AsText())
	}
	c.mustSet(container, whose)
	for _, port := range container.Get("ports").List() {
		if n := port.Get("hostPort"); n != nil && n.AsText() != "0" && n.Kind != values.Null {
			c.refuse(n, nil, "%s takes the port %s of the host", whose, n.AsText())
		}
	}
	c.handlers(container, whose)
}

// mustSet checks what a container has to set.
func (c *checker) mustSet(container *values.Node, whose string) {
	context := container.Get("securityContext")
	if n := context.Get("allowPrivilegeEscalation"); !n.Is(false) {
		c.refuse(n, container, "%s does not set allowPrivilegeEscalation: false", whose)
	}
	if !set(context.Get("seccompProfile")) && !localProfile(c.pod.Get("securityContext", "seccompProfile")) {
		c.refuse(context, container, "%s sets no seccomp profile, nor does the pod", whose)
	}
	capabilities := context.Get("capabilities")
	if !slices.ContainsFunc(capabilities.Get("drop").List(), func(n *values.Node) bool { return n.AsText() == "ALL" }) {
		c.refuse(capabilities, container, "%s does not drop ALL capabilities", whose)
	}
	for _, n := range capabilities.Get("add").List() {
		if n.AsText() != "NET_BIND_SERVICE" {
			c.refuse(n, nil, "%s adds the capability %s", whose, n.AsText())
		}
	}
}

// handlers checks probes and lifecycle hooks: none may call another host.
func (c *checker) handlers(container *values.Node, whose string) {
	for _, handler := range [][]string{{"livenessProbe"}, {"readinessProbe"}, {"startupProbe"}, {"lifecycle", "postStart"}, {"lifecycle", "preStop"}} {
		for _, action := range []string{"httpGet", "tcpSocket"} {
			if n := container.Get(append(handler, action, "host")...); n.AsText() != "" {
				c.refuse(n, nil, "the %s of %s calls the host %s", strings.Join(handler, "."), whose, n.AsText())
			}
		}
	}
}
