package reset_test

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/session"
	"gpatlas/modules/accounts/internal/session/sessiontest"
	"gpatlas/platform/apperr"
)

// Strangers have tried so many passwords that nobody signs in with the address any more. A completed reset lets its owner in
// at once; a refused one changes nothing, and other addresses and the strangers' places stay as they are.
func TestResetForgetsFailedSignIns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.MakeUser(t, ada)
	b.MakeUser(t, "grace@mossgate.example")
	from := func(last byte) session.Client {
		return session.Client{Address: netip.AddrFrom4([4]byte{198, 51, 100, last})}
	}
	login := func(email, secret string, place byte) apperr.Kind {
		_, _, err := b.Sessions.Login(t.Context(), email, secret, from(place))
		if err == nil {
			return 0
		}
		return apperr.From(err).Kind
	}
	for place := range byte(10) {
		for range 10 {
			require.Equal(t, apperr.KindUnauthenticated, login(ada, "not the password", place))
		}
	}
	for range 10 {
		require.Equal(t, apperr.KindUnauthenticated, login("grace@mossgate.example", "not the password", 77))
	}
	require.Equal(t, apperr.KindRateLimited, login(ada, sessiontest.Password, 99))
	token := b.asked(t, u)
	b.reset(t, token, "short", 400)
	b.reset(t, "wrong", fresh, 400)
	require.Equal(t, apperr.KindRateLimited, login(ada, sessiontest.Password, 99))

	b.reset(t, token, fresh, 200)
	require.Zero(t, login(ada, fresh, 99), "signed in")
	require.Zero(t, login(ada, fresh, 0), "also from where the strangers are")
	require.Equal(t, apperr.KindRateLimited, login("grace@mossgate.example", sessiontest.Password, 77))
}
