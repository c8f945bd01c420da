package decision

import (
	"fmt"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/metallb"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// frrK8sKey: the switch of frr-k8s is frrk8s.enabled; frr-k8s.enabled does nothing (metallb issue 3053).
func frrK8sKey(c *Case, _ *Decision) []finding {
	if key := c.helm("frr-k8s", "enabled"); c.metallbOn() && key != nil {
		return one(key.Where(), "metallb_helm_values.frr-k8s.enabled does nothing: the switch is metallb_helm_values.frrk8s.enabled")
	}
	return nil
}

// frrModes: the chart refuses both FRR modes at once, and frrk8s.enabled is true by default since 0.16.
func frrModes(c *Case, _ *Decision) []finding {
	frr := c.helm("speaker", "frr", "enabled")
	if !metallb.Is(c.Engine, true, "speaker", "frr", "enabled") || !c.installsFRR() {
		return nil
	}
	return one(frr.Where(), "metallb_helm_values.speaker.frr.enabled is true, and frr-k8s is on too: the metallb chart refuses both FRR modes at once")
}

// frrK8sExternal: frr-k8s is somebody else's, and its images may be others.
func frrK8sExternal(c *Case, _ *Decision) []finding {
	if !c.metallbOn() || !metallb.Is(c.Engine, true, "frrk8s", "external") {
		return nil
	}
	return one(c.helm("frrk8s", "external").Where(), "frrk8s.external is true: the chart installs no frr-k8s, and the images here may not be those that run; set units.metallb-image-prepull.enabled: false to do without")
}

// frrK8sScheduling: the pods of frr-k8s do not inherit the speaker's scheduling (metallb issue 3066).
func frrK8sScheduling(c *Case, d *Decision) []finding {
	if !c.runsFRR(d) {
		return nil
	}
	var missing []string
	var at values.Position
	for _, key := range []string{"tolerations", "priorityClassName", "nodeSelector"} {
		if speaker := c.helm("speaker", key); given(speaker) && !given(c.helm("frr-k8s", "frrk8s", key)) {
			missing, at = append(missing, key), speaker.Where()
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return one(at, fmt.Sprintf("the pods of frr-k8s do not inherit the speaker's %s: set the same under metallb_helm_values.frr-k8s.frrk8s, or nodes lose BGP", strings.Join(missing, ", ")))
}

// speakerFRRImage: the image of the old FRR mode is not the one that frr-k8s runs.
func speakerFRRImage(c *Case, _ *Decision) []finding {
	if img := c.helm("speaker", "frr", "image"); given(img) && c.installsFRR() {
		return one(img.Where(), "metallb_helm_values.speaker.frr.image is for the old FRR mode and has no effect on frr-k8s: the image that runs is frr-k8s.frrk8s.frr.image")
	}
	return nil
}

// webhook: what the pre-pull does not cure.
func webhook(c *Case, d *Decision) []finding {
	if d.Active != True || !c.runsFRR(d) || d.Backend.Before != metallb.Native {
		return nil
	}
	return one(values.Position{}, "for information: on its first installation the webhook of frr-k8s takes a minute or two for its certificate, and no BGP session comes up before; metallb_helm_values.frr-k8s.crds.validationFailurePolicy: Ignore takes it off the way")
}

// nativeStays: the unit's conditions do not look at the version of the chart, by which frr-k8s is off (before 0.16) or on.
func nativeStays(c *Case, d *Decision) []finding {
	if !c.metallbOn() || d.Active != True || d.Backend.After != metallb.Native {
		return nil
	}
	return one(c.chartVersion().at, "for information: native BGP stays, for the metallb chart to come has frr-k8s off unless metallb_helm_values.frrk8s.enabled is true: what the unit pulls will not run")
}
