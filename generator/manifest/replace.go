package manifest

import (
	"strings"

	"sigs.k8s.io/kustomize/api/types"
)

// replaced is an image after kustomize's images transformer: the entry of the image's repository sets name, tag and digest.
func replaced(ref string, images []types.Image) string {
	repository, suffix := ref, ""
	if i := strings.Index(ref, "@"); i >= 0 {
		repository, suffix = ref[:i], ref[i:]
	}
	if i := strings.LastIndex(repository, ":"); i > strings.LastIndex(repository, "/") {
		repository, suffix = repository[:i], repository[i:]+suffix
	}
	for _, each := range images {
		if each.Name != repository {
			continue
		}
		if each.NewName != "" {
			repository = each.NewName
		}
		switch {
		case each.Digest != "" && each.NewTag != "":
			suffix = ":" + each.NewTag + "@" + each.Digest
		case each.Digest != "":
			suffix = "@" + each.Digest
		case each.NewTag != "":
			suffix = ":" + each.NewTag
		}
	}
	return repository + suffix
}
