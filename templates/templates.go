// Package templates holds the manifests of a pre-pull unit: plain YAML with stand-ins, which package manifest fills by setting fields.
package templates

import "embed"

// FS is daemonset.yaml and kustomization.yaml.
//
//go:embed *.yaml
var FS embed.FS
