// Package oserr puts faults of the operating system into the words of a person: the cause alone, without the name of the
// call that failed.
package oserr

import (
	"errors"
	"io/fs"
	"os"
)

// Cause is what the operating system said ("permission denied"), without the call and the path that Go's errors name
// before it. An error that is none of the operating system's is given back as it is.
func Cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.SyscallError](err); ok {
		return e.Err
	}
	return err
}
