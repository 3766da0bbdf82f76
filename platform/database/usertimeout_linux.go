package database

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// setUserTimeout limits how long sent data may be unacknowledged: keepalive alone does not end a connection that awaits an
// acknowledgement.
func setUserTimeout(c syscall.RawConn, d time.Duration) (err error) {
	failed := c.Control(func(fd uintptr) {
		err = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(d.Milliseconds()))
	})
	if failed != nil {
		return failed
	}
	return err
}
