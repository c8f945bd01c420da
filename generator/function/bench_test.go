package function

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/kustomize/kyaml/fn/framework"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// asProcess has the test's own binary run as a function, so that a benchmark can measure a whole process.
const asProcess = "SYLVA_PREPULL_TEST_FUNCTION"

func TestMain(m *testing.M) {
	var err error
	switch os.Getenv(asProcess) {
	case "":
		os.Exit(m.Run())
	case "here":
		_, err = testFunction(&testing.T{}).Run(os.Stdin, os.Stdout)
	case "kyaml":
		err = runOnFramework(os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status, _ := os.ReadFile("/proc/self/status") // the rusage of a child has the memory of its parent in it
	_, _ = os.Stderr.Write(status)
	os.Exit(0)
}

// runOnFramework does the same work on kustomize's framework for functions: it finds metallb's Kustomization, adds the entry to its
// dependsOn, and appends the two objects. What the function decides, and the checks, are left out.
func runOnFramework(in io.Reader, out io.Writer) error {
	process := framework.ResourceListProcessorFunc(func(list *framework.ResourceList) error {
		for _, item := range list.Items {
			if item.GetKind() != "Kustomization" || item.GetName() != "metallb" {
				continue
			}
			entry := yaml.MustParse("name: metallb-image-prepull")
			if err := item.PipeE(yaml.LookupCreate(yaml.SequenceNode, "spec", "dependsOn"), yaml.Append(entry.YNode())); err != nil {
				return err
			}
		}
		list.Items = append(list.Items, yaml.MustParse("kind: Kustomization\nmetadata: {name: metallb-image-prepull}\n"), yaml.MustParse("kind: DaemonSet\nmetadata: {name: metallb-image-prepull}\n"))
		list.Results = framework.Results{{Message: "metallb-image-prepull is on", Severity: framework.Info}}
		return nil
	})
	return framework.Execute(process, &kio.ByteReadWriter{Reader: in, Writer: out, KeepReaderAnnotations: true})
}

// peak is the most memory that a process had, in kB, by its /proc/self/status; 0 where the system has none.
func peak(status string) int {
	m := regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindStringSubmatch(status)
	if m == nil {
		return 0
	}
	kB, _ := strconv.Atoi(m[1])
	return kB
}

// stream is a list of n items of 560 bytes, as kustomize writes them, with metallb's Kustomization in the middle.
func stream(n int) []byte {
	var b bytes.Buffer
	b.WriteString(listHead + "items:\n")
	for i := range n {
		if i == n/2 {
			b.WriteString(indented(metallbs["plain"], 0) + indented(strings.ReplaceAll(others, ", config.kubernetes.io/index: '0'", ""), 0))
		}
		fmt.Fprintf(&b, `- apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: deployment-%[1]d
    namespace: namespace-%[2]d
    labels:
      app.kubernetes.io/name: deployment-%[1]d
    annotations:
      internal.config.kubernetes.io/index: '%[1]d'
      internal.config.kubernetes.io/path: 'dir/file-%[1]d.yaml'
  spec:
    replicas: 3
    selector:
      matchLabels:
        app: a-%[1]d
    template:
      spec:
        containers:
        - name: main
          image: "registry.example/team/image:v1.%[2]d"
          args: [--verbose, '--level=3']
          command:
          - /bin/sh
          - -c
          - |
            echo start
            exec run
`, i, i%97)
	}
	b.WriteString(config)
	return b.Bytes()
}

var sizes = []int{10, 1000, 10_000, 40_000}

// BenchmarkFunction is the work in process, beside the same on kustomize's framework.
func BenchmarkFunction(b *testing.B) {
	fn := testFunction(b)
	for _, n := range sizes {
		data := stream(n)
		for name, run := range map[string]func() error{
			"here":  func() error { _, err := fn.Run(bytes.NewReader(data), io.Discard); return err },
			"kyaml": func() error { return runOnFramework(bytes.NewReader(data), io.Discard) },
		} {
			if name == "kyaml" && n > 10_000 {
				continue // BenchmarkProcess has it
			}
			b.Run(fmt.Sprintf("items=%d/%s", n, name), func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				b.ReportAllocs()
				for b.Loop() {
					if err := run(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkProcess is the function as kustomize runs it, a process a run: its CPU time and the most memory that it had.
func BenchmarkProcess(b *testing.B) {
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range sizes {
		data := stream(n)
		for _, name := range []string{"here", "kyaml"} {
			b.Run(fmt.Sprintf("items=%d/%s", n, name), func(b *testing.B) {
				var cpu time.Duration
				memory := 0
				for b.Loop() {
					cmd := exec.Command(self)
					cmd.Env = append(os.Environ(), asProcess+"="+name)
					cmd.Stdin, cmd.Stdout = bytes.NewReader(data), io.Discard
					var told strings.Builder
					cmd.Stderr = &told
					if err := cmd.Run(); err != nil {
						b.Fatal(err, told.String())
					}
					cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
					memory = max(memory, peak(told.String()))
				}
				b.ReportMetric(float64(cpu.Milliseconds())/float64(b.N), "cpu-ms/op")
				b.ReportMetric(float64(memory)/1024, "max-MB")
			})
		}
	}
}
