// Package scheduling tells which nodes one pod can run on and another cannot, by their specs alone.
//
// The answer is on the safe side: a node that is left out is always reported; a gap may be reported where several requirements together
// cover it (two terms of an affinity that complement each other).
//
// What is taken for granted of the nodes, because no image of a Linux-only workload can run on others:
//   - the node runs Linux, so that kubernetes.io/os is linux (a well-known label that every kubelet sets);
//   - it is neither a virtual-kubelet nor a Fargate node: those run no containers of a DaemonSet.
package scheduling
