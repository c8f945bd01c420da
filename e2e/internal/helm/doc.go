// Package helm renders charts by Helm's own Go library, as "helm template" does, and with the lookups of a cluster as
// "helm upgrade" does. It is what the tests compare the project's own evaluation with.
//
// What comes in: a chart, as a directory or as the .tgz that Helm pulls (Load), layers of values as Helm's --values flags take
// them, later ones first in rank (ReadLayer), and the release (Release): its name, namespace, revision, and the cluster whose
// objects lookup finds. What comes out: the objects that Helm would apply, parsed, without the notes and the hooks' order.
//
// The order of work is Helm's (pkg/action/install.go of 3.18.6): dependencies by their conditions, the chart's values
// underneath, the charts' JSON schemas, then all templates. An error of any of these is returned as Helm words it; ErrSchema
// tells one kind from the other.
//
// Version: 3.18.6, the one that the recorded renders of the oracle came from. It builds beside the Kubernetes modules of this
// module. Helm's module stays out of the root module, which would start slower and double in size with it.
//
// What never happens here: no release is stored, no object is applied, no repository and no registry is asked. A chart once loaded
// is never changed by a render, although Helm's own functions change what they get: each render works on a copy.
package helm
