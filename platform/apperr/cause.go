package apperr

import (
	"errors"
	"io/fs"
	"os"
)

// Cause is the reason that the operating system gave ("permission denied"), without the call and the path that Go's errors name
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
