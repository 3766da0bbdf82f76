//go:build !linux

package database

import (
	"syscall"
	"time"
)

// setUserTimeout does nothing: only Linux has the option.
func setUserTimeout(syscall.RawConn, time.Duration) error { return nil }
