package apperr_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
)

// TestFromKeepsWhatACallerMayRead proves that only an Error's own sentence can reach a caller.
func TestFromKeepsWhatACallerMayRead(t *testing.T) {
	t.Parallel()
	secret := errors.New("pq: password of user x is wrong")

	unknown := apperr.From(secret)
	require.Equal(t, apperr.KindInternal, unknown.Kind)
	require.Equal(t, "Internal server error", unknown.Message)
	require.ErrorIs(t, unknown, secret, "the log still sees the cause")

	known := apperr.From(fmt.Errorf("loading: %w", apperr.NotFound("GP with CRD %s not found", "42").Wrap(secret)))
	require.Equal(t, apperr.KindNotFound, known.Kind)
	require.Equal(t, "GP with CRD 42 not found", known.Message)
	require.ErrorIs(t, known, secret)
}

// TestInvalidNamesItsFields proves that the sentence names the first field and the list carries all of them.
func TestInvalidNamesItsFields(t *testing.T) {
	t.Parallel()
	err := apperr.Invalid(
		apperr.FieldError{Field: "limit", Message: "must be at most 100"},
		apperr.FieldError{Field: "sort", Message: "must be one of name, aum"},
	)
	require.Equal(t, "Invalid limit: must be at most 100", err.Message)
	require.Len(t, err.Fields, 2)
}

// TestWrapLeavesTheOriginalAlone proves that package-level errors can be wrapped by many callers at once.
func TestWrapLeavesTheOriginalAlone(t *testing.T) {
	t.Parallel()
	base := apperr.Unavailable("the catalog is being loaded")
	wrapped := base.Wrap(errors.New("cause"))
	require.NoError(t, errors.Unwrap(base))
	require.EqualError(t, wrapped, "the catalog is being loaded: cause")
}
