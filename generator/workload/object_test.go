package workload_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/workload"
)

func TestRead(t *testing.T) {
	for name, test := range map[string]struct {
		doc  string
		want []string
		err  string
	}{
		"documents":         {doc: "---\n# Source: a\n---\napiVersion: v1\nkind: A\nmetadata:\n  name: x\n---\napiVersion: apps/v1\nkind: B\nmetadata: {name: y, namespace: n}\n---\n", want: []string{"A x f:7:3", "B n/y f:11:12"}},
		"a List":            {doc: "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: A\n  metadata: {name: x}\n- apiVersion: v1\n  kind: BList\n  items:\n  - {apiVersion: v1, kind: B, metadata: {name: y}}\n", want: []string{"A x f:6:14", "B y f:10:42"}},
		"an array":          {doc: "[\n\t{\"apiVersion\": \"v1\", \"kind\": \"A\", \"metadata\": {\"name\": \"x\"}}\n]\n", want: []string{"A x f:2:49"}},
		"JSON documents":    {doc: "{\"apiVersion\": \"v1\", \"kind\": \"A\"}\n---\n{\"apiVersion\": \"v1\", \"kind\": \"B\"}\n", want: []string{"A  f:1:1", "B  f:3:1"}},
		"carriage returns":  {doc: "apiVersion: v1\r\nkind: A\r\nmetadata:\r\n  name: x\r\n---\r\napiVersion: v1\r\nkind: B\r\n", want: []string{"A x f:4:3", "B  f:6:1"}},
		"an empty stream":   {doc: "---\n# nothing\n"},
		"items of no list":  {doc: "apiVersion: v1\nkind: A\nitems: [1]\n", want: []string{"A  f:1:1"}},
		"values":            {doc: "metallb: {}\n", err: "f:1:1: no Kubernetes object: it has no apiVersion and kind; a stream of rendered manifests is due"},
		"no apiVersion":     {doc: "kind: A\n", err: "f:1:1: no Kubernetes object: it has no apiVersion and kind; a stream of rendered manifests is due"},
		"null in a List":    {doc: "apiVersion: v1\nkind: List\nitems:\n- null\n", err: "f:4:3: no Kubernetes object: it has no apiVersion and kind; a stream of rendered manifests is due"},
		"a scalar":          {doc: "just text\n", err: "f:1:1: the top level is a string: a map of keys is due"},
		"in a 2nd document": {doc: "apiVersion: v1\nkind: A\n---\nkind: B\nkind: C\n", err: "f:5:1: kind: the key stands twice, first at line 4: one of the two values would be lost"},
	} {
		t.Run(name, func(t *testing.T) {
			objects, err := workload.Read("f", []byte(test.doc))
			if fmt.Sprint(err) != fmt.Sprint(test.err) && (err != nil || test.err != "") {
				t.Fatalf("error %v, want %s", err, test.err)
			}
			var got []string
			for _, object := range objects {
				got = append(got, fmt.Sprintf("%s %s", object, object.Where()))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestPodsOf(t *testing.T) {
	const pod = "{initContainers: [{name: i, image: 'a:1'}, {name: s, image: 'b:1', restartPolicy: Always}], containers: [{name: c, image: 'c:1'}, {name: none}]}"
	want := []string{"i a:1 true f:1", "s b:1 false f:1", "c c:1 false f:1", "none  false f:1"}
	for kind, doc := range map[string]string{
		"DaemonSet": "{template: {spec: " + pod + "}}",
		"CronJob":   "{jobTemplate: {spec: {template: {spec: " + pod + "}}}}",
		"Pod":       pod,
	} {
		objects, err := workload.Read("f", []byte("{apiVersion: v1, kind: "+kind+", spec: "+doc+"}"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range workload.PodsOf(objects[0]).Containers {
			got = append(got, fmt.Sprintf("%s %s %v %s:%d", c.Name, c.Image, c.Init, c.At.File, c.At.Line))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", kind, diff)
		}
	}
	for _, doc := range []string{"{apiVersion: v1, kind: Service, spec: {template: {spec: {}}}}", "{apiVersion: apps/v1, kind: DaemonSet}"} {
		objects, err := workload.Read("f", []byte(doc))
		if err != nil || workload.PodsOf(objects[0]) != nil {
			t.Errorf("%s runs pods (%v)", doc, err)
		}
	}
}
