//go:build unix

package files

import (
	"errors"
	"os"
	"syscall"
)

// likeTarget gives a new file the mode and the owner of the one that it replaces.
func (t *tree) likeTarget(file *os.File, target string) error {
	info, err := t.Stat(target)
	if err != nil {
		return ignoreMissing(err)
	}
	old, ok := info.Sys().(*syscall.Stat_t)
	mine, err := file.Stat()
	if err != nil {
		return err
	}
	if now, same := mine.Sys().(*syscall.Stat_t); ok && same && (old.Uid != now.Uid || old.Gid != now.Gid) {
		if err := file.Chown(int(old.Uid), int(old.Gid)); err != nil {
			return err
		}
	}
	return file.Chmod(info.Mode().Perm())
}

// syncDir has a directory's entries reach the disk, where its file system knows that.
func (t *tree) syncDir(dir string) error {
	handle, err := t.Open(dir)
	if err != nil {
		return t.named(dir, err)
	}
	err = handle.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil
	}
	return errors.Join(err, handle.Close())
}
