package reset_test

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/mailing"
	"gpatlas/modules/accounts/internal/mailtoken"
	"gpatlas/modules/accounts/internal/reset"
	"gpatlas/modules/accounts/internal/session"
	"gpatlas/modules/accounts/internal/testkit/mailingtest"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/apperr"
	"gpatlas/platform/jobs"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/jobstest"
	"gpatlas/platform/testkit/mailtest"
)

const (
	ada   = "Ada@Larkspur.example"
	fresh = "nine lanterns over the weir"
)

type bench struct {
	*sessiontest.Bench

	service  *reset.Service
	handlers []jobs.Handler
	mails    *mailtest.Capture
	host     *httpapitest.Host
}

func setup(tb testing.TB) *bench {
	tb.Helper()
	b := &bench{Bench: sessiontest.New(tb)}
	b.service = reset.NewService(b.DB, b.Clock, b.Passwords, b.Sessions, b.Throttle, jobs.NewEnqueuer(b.DB))
	mailer, mails := mailingtest.Mailer(tb)
	b.mails = mails
	b.handlers = []jobs.Handler{mailtoken.Handler(b.DB, b.Clock, mailer, mailtoken.Reset), mailing.NoticeHandler(b.Users, mailer)}
	b.host = httpapitest.New(tb, reset.Routes(b.service)...)
	return b
}

// asked asks for a link and gives the token of its mail.
func (b *bench) asked(t *testing.T, u *user.User) string {
	t.Helper()
	jobstest.Deliver(t, b.DB, b.handlers...)
	b.mails.Reset()
	require.NoError(t, b.service.Forgot(t.Context(), u.Email, netip.Addr{}))
	jobstest.Deliver(t, b.DB, b.handlers...)
	require.Len(t, b.mails.To(u.Email), 1)
	return mailtest.Token(t, b.mails.To(u.Email)[0].Text)
}

func (b *bench) forgot(t *testing.T, email string) httpapitest.Response {
	t.Helper()
	return b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/auth/forgot-password", Body: fmt.Sprintf(`{"email":%q}`, email)})
}

func (b *bench) reset(t *testing.T, secret, password string, status int, parts ...string) {
	t.Helper()
	b.host.Do(t, httpapitest.Scenario{
		Method: "POST", Path: "/v1/auth/reset-password", Body: fmt.Sprintf(`{"token":%q,"new_password":%q}`, secret, password),
		Status: status, Contains: parts,
	})
}

// Whatever the address: the same status, bytes and headers, no hash, and one job, which sends a mail to accounts alone.
func TestForgotTellsNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	verified := b.MakeUser(t, "verified@mossgate.example")
	require.NoError(t, b.Users.Update(t.Context(), verified.ID, map[string]any{"email_verified_at": b.Clock.Now()}))
	b.MakeUser(t, "unverified@mossgate.example")
	gone := b.MakeUser(t, "gone@mossgate.example")
	require.NoError(t, b.Users.Update(t.Context(), gone.ID, map[string]any{"deleted_at": b.Clock.Now()}))
	b.MakeUser(t, "full@mossgate.example")
	for range 3 {
		b.forgot(t, "full@mossgate.example")
		b.forgot(t, "nobody-full@mossgate.example")
	}
	jobstest.Deliver(t, b.DB, b.handlers...)
	require.Len(t, b.mails.To("full@mossgate.example"), 3)
	b.mails.Reset()

	hashes := b.Passwords.Computed()
	answers := map[string]bool{}
	for email, mails := range map[string]int{
		"verified@mossgate.example": 1, "unverified@mossgate.example": 1, "nobody@mossgate.example": 0, "gone@mossgate.example": 0,
		"full@mossgate.example": 0, "nobody-full@mossgate.example": 0,
	} {
		got := b.forgot(t, email)
		got.Header.Del("X-Request-Id")
		answers[fmt.Sprint(got.Status, got.Header, got.Body)] = true
		waiting := jobstest.Waiting(t, b.DB)
		require.Len(t, waiting, 1, email)
		require.Equal(t, mailtoken.Reset.Job(), waiting[0].Type)
		require.Regexp(t, `^\{"user_id": \d+\}$`, waiting[0].Payload, "ids only")
		jobstest.Deliver(t, b.DB, b.handlers...)
		require.Len(t, b.mails.To(email), mails, email)
	}
	require.Len(t, answers, 1)
	require.Equal(t, hashes, b.Passwords.Computed(), "nothing is hashed")
	for _, body := range []string{`{"email":"ada"}`, `{"email":"ada\u0000@larkspur.example"}`, `{}`, `{"email":"` + strings.Repeat("a", 300) + `@x.example"}`, `{"email":"a@b.example","token":"x"}`} {
		b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/auth/forgot-password", Body: body, Status: 400})
	}
}

// Three mails an hour for each address, however it is spelled; beyond that nothing is sent, and the response is the same.
func TestForgotLimit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.MakeUser(t, ada)
	b.MakeUser(t, "grace@mossgate.example")
	sent := func(email string) int {
		t.Helper()
		b.mails.Reset()
		b.forgot(t, email)
		jobstest.Deliver(t, b.DB, b.handlers...)
		return len(b.mails.Messages())
	}
	for _, email := range []string{ada, "ADA@LARKSPUR.EXAMPLE", "ada@larkspur.example"} {
		require.Equal(t, 1, sent(email))
		b.Clock.Move(time.Minute)
	}
	require.Zero(t, sent(ada))
	require.Equal(t, 1, sent("grace@mossgate.example"))
	b.Clock.Set(sessiontest.Start.Add(time.Hour - time.Microsecond))
	require.Zero(t, sent(ada))
	b.Clock.Move(time.Microsecond)
	require.Equal(t, 1, sent(ada))
	require.Zero(t, sent(ada))
}

// A link works for an hour, to the second.
func TestResetInTime(t *testing.T) {
	t.Parallel()
	for after, status := range map[time.Duration]int{
		0: 200, time.Hour - time.Second: 200, time.Hour - time.Microsecond: 200, time.Hour: 400, time.Hour + time.Second: 400,
	} {
		t.Run(after.String(), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			u := b.MakeUser(t, ada)
			secret := b.asked(t, u)
			b.Clock.Move(after)
			if status != 200 {
				before := b.Passwords.Computed()
				b.reset(t, secret, fresh, 400, "Invalid or expired reset token")
				require.Equal(t, before, b.Passwords.Computed(), "without a good token no password is hashed")
				b.Login(t, ada)
				return
			}
			b.reset(t, secret, fresh, 200, "message")
			_, _, err := b.Sessions.Login(t.Context(), ada, sessiontest.Password, session.Client{})
			require.Error(t, err, "the old password")
			_, _, err = b.Sessions.Login(t.Context(), ada, fresh, session.Client{})
			require.NoError(t, err)
			b.reset(t, secret, fresh, 400, "Invalid or expired reset token")
		})
	}
}

// A new password ends all sessions at once, and the holder is notified.
func TestResetEndsSessions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u, other := b.MakeUser(t, ada), b.MakeUser(t, "grace@mossgate.example")
	theirs, tokens := b.Login(t, other.Email), b.Login(t, ada)
	older := b.asked(t, u)
	secret := b.asked(t, u)
	_, err := b.Sessions.VerifySession(t.Context(), tokens.AccessToken)
	require.NoError(t, err, "asking ends nothing")
	b.reset(t, older, fresh, 400)
	b.mails.Reset()
	b.reset(t, secret, fresh, 200)
	_, err = b.Sessions.VerifySession(t.Context(), tokens.AccessToken)
	require.Equal(t, apperr.KindUnauthenticated, apperr.From(err).Kind)
	_, err = b.Sessions.Refresh(t.Context(), tokens.RefreshToken)
	require.Equal(t, apperr.KindUnauthenticated, apperr.From(err).Kind)
	_, err = b.Sessions.VerifySession(t.Context(), theirs.AccessToken)
	require.NoError(t, err)
	var by []string
	require.NoError(t, b.DB.From(t.Context()).Model(&session.Row{}).Where("user_id = ?", u.ID).Pluck("ended_by", &by).Error)
	require.Equal(t, []string{"password"}, by)
	jobstest.Deliver(t, b.DB, b.handlers...)
	mails := b.mails.Messages()
	require.Len(t, mails, 1)
	require.Equal(t, "Your GP Atlas password was changed", mails[0].Subject)
	require.Contains(t, mails[0].Text, "20 November 2026 at\n09:30 UTC")
	require.NotContains(t, mails[0].Text, fresh)
}

// A password that breaks the rules is refused, by its field, and leaves the token good.
func TestResetKeepsTheRules(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.MakeUser(t, "wisteria@larkspur.example")
	secret := b.asked(t, u)
	for password, part := range map[string]string{
		"short":                  "new_password",
		strings.Repeat("é", 129): "new_password",
		"wisteria climbs walls":  "email address",
		"passwordpassword":       "too common",
		"aaaaaaaaaaaaaaaa":       "too common",
		"":                       "new_password",
	} {
		b.reset(t, secret, password, 400, part, `"new_password"`)
	}
	b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/auth/reset-password", Body: `{"token":"x","new_password":"` + fresh + `","user_id":1}`, Status: 400})
	b.reset(t, mailtest.Other(secret), "passwordpassword", 400, "Invalid or expired reset token")
	b.reset(t, secret, strings.Repeat("é", 30)+"abcdef"+strings.Repeat("z", 92), 200)
	issued, err := mailtoken.NewStore(b.DB).Issue(t.Context(), u, mailtoken.Verify, b.Clock.Now())
	require.NoError(t, err)
	b.reset(t, issued.Secret, fresh, 400, "Invalid or expired reset token")
	gone := b.asked(t, u)
	require.NoError(t, b.Users.Update(t.Context(), u.ID, map[string]any{"deleted_at": b.Clock.Now()}))
	b.reset(t, gone, fresh, 400, "Invalid or expired reset token")
}

// Of twenty clients with one token one sets its password; the others set nothing and hear 400.
func TestResetInParallel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	secret := b.asked(t, b.MakeUser(t, ada))
	errs := make([]error, 20)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { errs[i] = b.service.Reset(t.Context(), secret, fmt.Sprintf("%s %d", fresh, i)) })
	}
	wg.Wait()
	winner := -1
	for i, err := range errs {
		if err == nil {
			require.Equal(t, -1, winner, "two have reset it")
			winner = i
			continue
		}
		require.Equal(t, apperr.KindInvalid, apperr.From(err).Kind, "%v", err)
	}
	require.NotEqual(t, -1, winner)
	for i := range errs {
		u, err := b.Users.FindByEmail(t.Context(), ada)
		require.NoError(t, err)
		match, err := b.Passwords.Check(t.Context(), u.PasswordHash, fmt.Sprintf("%s %d", fresh, i))
		require.NoError(t, err)
		require.Equal(t, i == winner, match.OK)
	}
	require.Len(t, jobstest.Waiting(t, b.DB), 1, "one notice")
}

// A job that runs twice sends one mail more, whose link is the one that works.
func TestJobRunsTwice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.MakeUser(t, ada)
	run := func(payload string) error { return b.handlers[0].Run(t.Context(), []byte(payload)) }
	payload := fmt.Sprintf(`{"user_id":%d}`, u.ID)
	require.NoError(t, run(payload))
	require.NoError(t, run(payload))
	mails := b.mails.Messages()
	require.Len(t, mails, 2)
	require.NotEqual(t, mails[0].MessageID, mails[1].MessageID)
	require.Contains(t, mails[1].Text, "1 hour")
	require.Contains(t, mailtest.Link(t, mails[1].Text), mailingtest.Base+"/reset-password?token=")
	b.reset(t, mailtest.Token(t, mails[0].Text), fresh, 400)
	b.reset(t, mailtest.Token(t, mails[1].Text), fresh, 200)
	b.mails.Fail(mailtest.Permanent())
	require.True(t, jobstest.Never(run(payload)))
	b.mails.Fail(errors.New("away"))
	err := run(payload)
	require.Error(t, err)
	require.False(t, jobstest.Never(err))
	require.True(t, jobstest.Never(run(`[]`)))
	require.NoError(t, run(`{"user_id":0}`))
	require.NoError(t, run(`{"user_id":999999}`))
}

// An unavailable database is 503, and reveals nothing about accounts.
func TestWithoutDatabase(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.DB.Close()
	require.Equal(t, apperr.KindUnavailable, apperr.From(b.service.Forgot(t.Context(), ada, netip.Addr{})).Kind)
	require.Equal(t, apperr.KindUnavailable, apperr.From(b.service.Reset(t.Context(), "x", fresh)).Kind)
}
