package auth_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/auth"
)

type otherKey struct{}

func TestCallerOfAContext(t *testing.T) {
	t.Parallel()
	require.Equal(t, &auth.Principal{}, auth.From(t.Context()), "nobody said")
	sent := &auth.Principal{Kind: auth.Key, UserID: 7}
	ctx := auth.With(context.WithValue(t.Context(), otherKey{}, "kept"), sent)
	require.Equal(t, sent, auth.From(ctx))
	require.Equal(t, "kept", ctx.Value(otherKey{}))
	sent.Admin = true
	require.False(t, auth.From(ctx).Admin, "the request has a copy of its own")
	inner, cancel := context.WithCancel(ctx)
	cancel()
	require.EqualValues(t, 7, auth.From(inner).UserID)
	require.NoError(t, ctx.Err())
	require.Equal(t, auth.Session, auth.From(auth.With(inner, &auth.Principal{Kind: auth.Session})).Kind, "the innermost counts")
}
