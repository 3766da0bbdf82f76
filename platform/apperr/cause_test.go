package apperr_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
)

func TestCause(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.EqualError(t, apperr.Cause(fmt.Errorf("make: %w", os.MkdirAll(filepath.Join(file, "below"), 0o700))), "not a directory")
	require.EqualError(t, apperr.Cause(os.Rename(file+"x", file)), "no such file or directory")
	require.EqualError(t, apperr.Cause(os.NewSyscallError("bind", os.ErrPermission)), "permission denied")
	plain := errors.New("other")
	require.Equal(t, plain, apperr.Cause(plain))
}
