package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// readerLook is how often a process that writes little checks whether its output is still read.
const readerLook = 500 * time.Millisecond

// watchReader calls gone when the reader of a pipe closes it, or returns when ctx ends. A service writes too rarely to notice
// by writing. An output that is no pipe is not watched.
func watchReader(ctx context.Context, file *os.File, gone func()) {
	if info, err := file.Stat(); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		return
	}
	look := time.NewTicker(readerLook)
	defer look.Stop()
	for {
		fds := []unix.PollFd{{Fd: int32(file.Fd())}} // #nosec G115 -- a descriptor
		if _, err := unix.Poll(fds, 0); err != nil && !errors.Is(err, unix.EINTR) {
			return
		}
		if fds[0].Revents&unix.POLLERR != 0 {
			gone()
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
	}
}
