//go:build !unix

package files

import "os"

// likeTarget: files have no owner to keep here.
func (t *tree) likeTarget(*os.File, string) error { return nil }

// syncDir: directories cannot be synced here.
func (t *tree) syncDir(string) error { return nil }
