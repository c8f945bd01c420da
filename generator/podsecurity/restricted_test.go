package podsecurity_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/yaml"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/podsecurity"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// good is a pod template that the level allows. Each field stands on a line of its own, so that a case can replace one.
const good = `metadata: {annotations: {}}
spec:
  hostNetwork: false
  hostUsers: true
  volumes: []
  securityContext:
    runAsNonRoot: true
    runAsUser: 65532
    seccompProfile: {type: RuntimeDefault}
    sysctls: []
  initContainers: []
  containers:
  - name: a
    ports: []
    livenessProbe: {}
    lifecycle: {}
    securityContext:
      privileged: false
      allowPrivilegeEscalation: false
      capabilities: {drop: [ALL]}
`

// changes are lines of the good pod replaced by others: the old one, the new one, and a word of the violation, empty where it is none.
func changes() [][3]string {
	return [][3]string{
		{"hostNetwork: false", "hostNetwork: true", "hostNetwork is true"},
		{"hostNetwork: false", "hostPID: true", "hostPID is true"},
		{"hostNetwork: false", "hostIPC: true", "hostIPC is true"},
		{"annotations: {}", "annotations: {container.apparmor.security.beta.kubernetes.io/a: unconfined}", "annotation"},
		{"annotations: {}", "annotations: {container.apparmor.security.beta.kubernetes.io/a: localhost/x}", ""},
		{"volumes: []", "volumes: [{name: v, hostPath: {path: /}}]", "volume v is of type hostPath"},
		{"volumes: []", "volumes: [{name: v, nfs: {server: s, path: /}}]", "nfs"},
		{"volumes: []", "volumes: [{name: v, emptyDir: {}}, {name: w, configMap: {name: c}}, {name: i, image: {reference: 'a:1'}}]", ""},
		{"volumes: []", "volumes: [{name: v}]", "unknown"},
		{"sysctls: []", "sysctls: [{name: kernel.msgmax, value: '1'}]", "kernel.msgmax"},
		{"sysctls: []", "sysctls: [{name: net.ipv4.tcp_syncookies, value: '1'}]", ""},
		{"sysctls: []", "sysctls: [{name: net.ipv4.tcp_rmem, value: '1'}]", "tcp_rmem"},
		{"runAsNonRoot: true", "runAsNonRoot: false", "the pod has runAsNonRoot: false"},
		{"    runAsNonRoot: true", "    fsGroup: 1", "does not set runAsNonRoot: true"},
		{"runAsUser: 65532", "runAsUser: 0", "runAsUser: 0"},
		{"hostUsers: true", "hostUsers: false", ""},
		{"seccompProfile: {type: RuntimeDefault}", "seccompProfile: {type: Unconfined}", "seccomp profile \"Unconfined\""},
		{"seccompProfile: {type: RuntimeDefault}", "seccompProfile: {type: Localhost, localhostProfile: a}", ""},
		{"seccompProfile: {type: RuntimeDefault}", "fsGroup: 2", "no seccomp profile"},
		{"seccompProfile: {type: RuntimeDefault}", "appArmorProfile: {type: Unconfined}", "AppArmor"},
		{"sysctls: []", "seLinuxOptions: {type: spc_t}", "SELinux type spc_t"},
		{"sysctls: []", "seLinuxOptions: {type: container_engine_t}", "container_engine_t"},
		{"sysctls: []", "seLinuxOptions: {type: container_t}", ""},
		{"sysctls: []", "seLinuxOptions: {user: u}", "SELinux user"},
		{"sysctls: []", "seLinuxOptions: {role: r}", "SELinux role"},
		{"sysctls: []", "windowsOptions: {hostProcess: true}", "host process"},
		{"initContainers: []", "initContainers: [{name: i}]", "container i does not drop ALL"},
		{"ports: []", "ports: [{containerPort: 80, hostPort: 80}]", "port 80"},
		{"ports: []", "ports: [{containerPort: 80}]", ""},
		{"livenessProbe: {}", "livenessProbe: {httpGet: {host: 192.0.2.1, port: 80}}", "192.0.2.1"},
		{"livenessProbe: {}", "livenessProbe: {tcpSocket: {port: 80}}", ""},
		{"lifecycle: {}", "lifecycle: {preStop: {tcpSocket: {host: h, port: 80}}}", "lifecycle.preStop"},
		{"privileged: false", "privileged: true", "is privileged"},
		{"privileged: false", "runAsUser: 0", "container a has runAsUser: 0"},
		{"privileged: false", "runAsNonRoot: false", "container a has runAsNonRoot: false"},
		{"privileged: false", "seccompProfile: {type: Unconfined}", "container a has the seccomp"},
		{"privileged: false", "procMount: Unmasked", "procMount: Unmasked"},
		{"privileged: false", "procMount: Default", ""},
		{"allowPrivilegeEscalation: false", "allowPrivilegeEscalation: true", "allowPrivilegeEscalation"},
		{"      allowPrivilegeEscalation: false", "      readOnlyRootFilesystem: true", "allowPrivilegeEscalation"},
		{"capabilities: {drop: [ALL]}", "capabilities: {drop: [NET_RAW]}", "drop ALL"},
		{"      capabilities: {drop: [ALL]}", "      runAsGroup: 1", "drop ALL"},
		{"capabilities: {drop: [ALL]}", "capabilities: {drop: [ALL], add: [NET_BIND_SERVICE]}", ""},
		{"capabilities: {drop: [ALL]}", "capabilities: {drop: [ALL], add: [NET_ADMIN]}", "capability NET_ADMIN"},
	}
}

func check(t *testing.T, text string) []podsecurity.Violation {
	t.Helper()
	n, err := values.Parse("pod.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return podsecurity.Restricted(n)
}

func changed(t *testing.T, text string, change [3]string) string {
	t.Helper()
	if !strings.Contains(good, change[0]) {
		t.Fatalf("the good pod has no line %q", change[0])
	}
	return strings.Replace(text, change[0], change[1], 1)
}

func TestRestricted(t *testing.T) {
	if found := check(t, good); len(found) > 0 {
		t.Errorf("the good pod: %v", found)
	}
	for _, change := range changes() {
		t.Run(change[1], func(t *testing.T) {
			found := check(t, changed(t, good, change))
			switch {
			case change[2] == "" && len(found) > 0:
				t.Errorf("found %v", found)
			case change[2] != "" && (len(found) == 0 || !strings.Contains(fmt.Sprint(found), change[2])):
				t.Errorf("found %v, and nothing with %q", found, change[2])
			}
			for _, each := range found {
				if each.At.Line == 0 {
					t.Errorf("%s stands nowhere", each.Text)
				}
			}
		})
	}
}

// TestLikeKubernetes compares with the code of the admission plugin, on the good pod with any two changes.
func TestLikeKubernetes(t *testing.T) {
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	all := changes()
	counts := map[bool]int{}
	for range 1500 {
		text := changed(t, changed(t, good, all[random.IntN(len(all))]), all[random.IntN(len(all))])
		want := allowed(t, evaluator, text)
		if got := len(check(t, text)) == 0; got != want {
			t.Fatalf("allowed %v, and Kubernetes says %v:\n%s\n%v", got, want, text, check(t, text))
		}
		counts[want]++
	}
	if counts[true] < 30 || counts[false] < 30 {
		t.Errorf("%v: too few of one kind to prove anything", counts)
	}
}

// allowed reports whether all the versions allow a pod.
func allowed(t *testing.T, evaluator policy.Evaluator, text string) bool {
	t.Helper()
	var template corev1.PodTemplateSpec
	if err := yaml.UnmarshalStrict([]byte(text), &template); err != nil {
		t.Fatal(err)
	}
	for minor := 30; minor <= 36; minor++ {
		level := api.LevelVersion{Level: api.LevelRestricted, Version: api.MajorMinorVersion(1, minor)}
		for _, result := range evaluator.EvaluatePod(level, &template.ObjectMeta, &template.Spec) {
			if !result.Allowed {
				return false
			}
		}
	}
	return true
}
