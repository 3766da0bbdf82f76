package reset_test

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/register"
	"gpatlas/modules/accounts/internal/session"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/modules/accounts/internal/throttle"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
)

// Strangers have tried so many passwords that the address cannot sign in any more. A completed reset lets its owner in at once;
// a refused one changes nothing, and other addresses and the strangers' places stay as they are.
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

// One place may request a limited number of mails to typed addresses, by registering or by asking for links. It is then
// refused, whatever the address; other places are not.
func TestMailsOfOnePlace(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.MakeUser(t, ada)
	registration := register.NewService(b.DB, b.Clock, b.Passwords, b.Sessions, b.Throttle, jobs.NewEnqueuer(b.DB), b.Schools)
	enroll := func(email, from string) error {
		_, _, err := registration.Register(t.Context(), register.Form{Email: email, Password: sessiontest.Password, FullName: "Ada Larkspur"},
			session.Client{Address: netip.MustParseAddr(from)})
		return err
	}
	ask := func(email, from string) error { return b.service.Forgot(t.Context(), email, netip.MustParseAddr(from)) }
	require.NoError(t, enroll("new@larkspur.example", "2001:db8::1"))
	require.Equal(t, apperr.KindConflict, apperr.From(enroll(ada, "2001:db8::1")).Kind)
	for i := range throttle.MailIP.Max - 2 {
		require.NoError(t, ask(fmt.Sprintf("nobody%d@larkspur.example", i), "2001:db8::2"))
	}
	before := b.Passwords.Computed()
	for _, email := range []string{ada, "nobody@larkspur.example", "newer@larkspur.example"} {
		for _, err := range []error{ask(email, "2001:db8::3"), enroll(email, "2001:db8::3")} {
			require.Equal(t, apperr.KindRateLimited, apperr.From(err).Kind, "%v", err)
			var told httpapi.Waiter
			require.ErrorAs(t, err, &told)
			require.Equal(t, time.Hour, told.RetryAfter())
		}
	}
	require.Equal(t, before, b.Passwords.Computed(), "nothing is hashed for them")
	require.NoError(t, ask(ada, "2001:db8:0:1::1"))
	require.NoError(t, enroll("newer@larkspur.example", "198.51.100.1"))
	b.Clock.Move(time.Hour)
	require.NoError(t, ask(ada, "2001:db8::3"))
}
