package verify

import "slices"

// Rules are all rules, in the order of the report. The rule stale is made by Stale.
func Rules() []Rule {
	return slices.Concat(dependencyRules(), healthRules(), imageRules(), podRules())
}

func dependencyRules() []Rule {
	return []Rule{
		{
			ID: "dangling-dependency", Severity: Error, check: danglingDependency,
			Finds:   "a dependsOn on a Kustomization that is not there: Flux waits for it for ever",
			LooksAt: "the Kustomizations of a stream, and the edge of the unit in a tree",
			Fix:     "take it away or make it as conditional as the unit; skip the rule (--skip-rule) where the stream is but a part of what is deployed",
		},
		{
			ID: "missing-edge", Severity: Error, check: missingEdge,
			Finds:   "the pre-pull unit is there, and the unit that it is for does not wait for it",
			LooksAt: "the unit and the one that is to wait for it, in a stream or a tree",
			Fix:     "add the pre-pull unit to the dependsOn (in sylva-core: depends_on) of the unit that waits",
		},
		{
			ID: "dependency-cycle", Severity: Error, check: dependencyCycle,
			Finds:   "Kustomizations that wait for each other or for themselves: Flux reconciles none of them",
			LooksAt: "the Kustomizations of a stream",
			Fix:     "take one of the dependencies on the cycle away",
		},
		{
			ID: "stale-ready", Severity: Warning, check: staleReady,
			Finds:   "the unit may be Ready from the last upgrade: MetalLB goes on before the new images are pulled",
			LooksAt: "a Kustomization of a stream that waits for the unit",
			Fix:     "let both depend on the root-dependency of the revision, or give the dependency a readyExpr (Flux 2.7)",
		},
	}
}

func healthRules() []Rule {
	return []Rule{
		{
			ID: "wait-and-healthchecks", Severity: Error, check: waitAndHealthChecks,
			Finds:   "wait: true together with healthChecks: Flux ignores the healthChecks, and the sylva-units chart refuses both",
			LooksAt: "the Kustomizations of a stream, and the unit in a tree",
			Fix:     "keep one of wait and healthChecks",
		},
		{
			ID: "no-healthcheck", Severity: Error, check: noHealthCheck,
			Finds:   "nothing waits for the DaemonSet: the unit is Ready before a single image is pulled",
			LooksAt: "the unit's Kustomization, in a stream or a tree",
			Fix:     "name the unit's DaemonSet in spec.healthChecks",
		},
		{
			ID: "healthcheck-target", Severity: Error, check: healthCheckTarget,
			Finds:   "a health check of an object that the unit does not make: it never passes",
			LooksAt: "the unit's health checks and its pods, in a stream or built from a tree",
			Fix:     "give apiVersion, kind, name and namespace as the built object has them",
		},
		{
			ID: "healthcheck-timeout", Severity: Warning, check: healthCheckTimeout,
			Finds:   "no timeout, or one under five minutes: Flux gives up before a slow disk or link has pulled",
			LooksAt: "the unit's Kustomization, in a stream or a tree",
			Fix:     "set spec.timeout to 5m or more",
		},
		{
			ID: "suspended", Severity: Error, check: suspended,
			Finds:   "the unit is suspended: nothing is pulled, and MetalLB waits, or goes on if it was ready once",
			LooksAt: "the unit's Kustomization, in a stream or a tree",
			Fix:     "resume it (flux resume kustomization), or take spec.suspend away",
		},
		{
			ID: "zero-nodes", Severity: Error, check: zeroNodes,
			Finds:   "a DaemonSet that no node matches counts as healthy: MetalLB goes on with nothing pulled",
			LooksAt: "the unit's Kustomization, in a stream or a tree",
			Fix:     "add healthCheckExprs for apps/v1 DaemonSet with \"|| status.desiredNumberScheduled == 0\" in inProgress",
		},
	}
}

func imageRules() []Rule {
	return []Rule{
		{
			ID: "image-reference", Severity: Error, check: imageReference,
			Finds:   "an image that cannot be pulled or that Sylva refuses: no tag, latest, main, upper case, a ${} left to substitute",
			LooksAt: "the unit's pods, in a stream or built from a tree, and those of a workload (-w)",
			Fix:     "write repository:tag with a version, or a digest",
		},
		{
			ID: "image-coverage", Severity: Error, check: imageCoverage,
			Finds:   "an image of the workload that is not pre-pulled",
			LooksAt: "the unit's pods and those of a workload (-w) that run its images",
			Fix:     "pre-pull the very reference that the workload runs",
		},
		{
			ID: "image-extra", Severity: Warning, check: imageExtra,
			Finds:   "a pre-pulled image that the workload does not run, or one that is not to be pre-pulled",
			LooksAt: "the unit's pods, in a stream or built from a tree, and those of a workload (-w)",
			Fix:     "take the image out of the pre-pull, or switch the unit off where the workload runs none of them",
		},
		{
			ID: "image-kept", Severity: Warning, check: imageKept,
			Finds:   "a pre-pulled image that no running container uses: the kubelet may remove it before MetalLB needs it",
			LooksAt: "the unit's pods, in a stream or built from a tree",
			Fix:     "give each image a container of its own that keeps running",
		},
		{
			ID: "unquoted-tag", Severity: Error, check: unquotedTag,
			Finds:   "an image tag that YAML reads as a number, and prints as another one",
			LooksAt: "the tags in the Kustomizations and HelmReleases of a stream and in the values of a tree",
			Fix:     "quote the tag",
		},
	}
}

func podRules() []Rule {
	return []Rule{
		{
			ID: "node-coverage", Severity: Error, check: nodeCoverage,
			Finds:   "a node that can run the workload and not the pre-pull",
			LooksAt: "the unit's pods, in a stream or built from a tree",
			Fix:     "widen nodeSelector, affinity and tolerations of the pre-pull (tolerations: [{operator: Exists}])",
		},
		{
			ID: "update-strategy", Severity: Error, check: updateStrategy,
			Finds:   "an update strategy with which Flux waits for ever, or one dead node stops the pulls on all others",
			LooksAt: "the unit's pods, in a stream or built from a tree",
			Fix:     "updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 100%}}",
		},
		{
			ID: "pod-security", Severity: Error, check: podSecurity,
			Finds:   "pods that the Pod Security level restricted does not admit",
			LooksAt: "the unit's pods, in a stream or built from a tree",
			Fix:     "set what the level asks for in the securityContext of the pod and of each container",
		},
		{
			ID: "pull-secret", Severity: Warning, check: pullSecret,
			Finds:   "a pull secret of the workload that the pre-pull does not have",
			LooksAt: "the unit's pods and those of a workload (-w) that run its images",
			Fix:     "add the secret to the imagePullSecrets of the pre-pull, and put it into its namespace",
		},
		{
			ID: "substitution", Severity: Warning, check: substitution,
			Finds:   "a $ in a container's command where postBuild has Flux substitute variables",
			LooksAt: "the unit's Kustomization, in a stream or a tree",
			Fix:     "annotate the object with kustomize.toolkit.fluxcd.io/substitute: disabled",
		},
	}
}
