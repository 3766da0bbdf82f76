package verification_test

import (
	"encoding/hex"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/mailtoken"
	"gpatlas/modules/accounts/internal/testkit/mailingtest"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/modules/accounts/internal/token"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/modules/accounts/internal/verification"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/jobstest"
	"gpatlas/platform/testkit/mailtest"
)

const ada = "Ada@Larkspur.example"

type bench struct {
	*sessiontest.Bench

	service *verification.Service
	handler jobs.Handler
	mails   *mailtest.Capture
	host    *httpapitest.Host
}

func setup(t *testing.T) *bench {
	t.Helper()
	b := &bench{Bench: sessiontest.New(t)}
	b.service = verification.NewService(b.DB, b.Clock, b.Throttle, jobs.NewEnqueuer(b.DB))
	mailer, mails := mailingtest.Mailer(t)
	b.handler, b.mails = mailtoken.Handler(b.DB, b.Clock, mailer, mailtoken.Verify), mails
	b.host = httpapitest.New(t, verification.Routes(b.service)...)
	return b
}

// mailed runs the job for an account and gives the token of its mail.
func (b *bench) mailed(t *testing.T, u *user.User) string {
	t.Helper()
	before := len(b.mails.Messages())
	require.NoError(t, b.handler.Run(t.Context(), fmt.Appendf(nil, `{"user_id":%d}`, u.ID)))
	mails := b.mails.Messages()
	require.Len(t, mails, before+1)
	return mailtest.Token(t, mails[before].Text)
}

func (b *bench) verify(t *testing.T, secret string, status int, parts ...string) {
	t.Helper()
	b.host.Do(t, httpapitest.Scenario{
		Method: "POST", Path: "/v1/auth/verify-email", Body: `{"token":"` + secret + `"}`, Status: status, Contains: parts,
	})
}

// The rows of the contract's table: verified within 24 hours, 400 for tokens that are not good, 409 when it is done.
func TestVerify(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		after  time.Duration
		status int
	}{
		"at once":              {0, 200},
		"23:59:59":             {24*time.Hour - time.Second, 200},
		"a microsecond before": {24*time.Hour - time.Microsecond, 200},
		"24:00:00":             {24 * time.Hour, 400},
		"24:00:01":             {24*time.Hour + time.Second, 400},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			u := b.MakeUser(t, ada)
			secret := b.mailed(t, u)
			b.verify(t, mailtest.Other(secret), 400, "Invalid or expired verification token")
			b.Clock.Move(c.after)
			at := httpapi.FormatInstant(b.Clock.Now())
			if c.status != 200 {
				b.verify(t, secret, 400, "Invalid or expired verification token")
				u, err := b.Users.FindByID(t.Context(), u.ID)
				require.NoError(t, err)
				require.Nil(t, u.EmailVerifiedAt)
				return
			}
			b.verify(t, secret, 200, `"email":"Ada@Larkspur.example"`, `"verified_at":"`+at+`"`, `"message":`)
			u, err := b.Users.FindByID(t.Context(), u.ID)
			require.NoError(t, err)
			require.True(t, b.Clock.Now().Equal(*u.EmailVerifiedAt))
			b.verify(t, secret, 409, "Email already verified")
			b.Clock.Move(48 * time.Hour)
			b.verify(t, secret, 409, "Email already verified")
		})
	}
}

func TestTokensThatAreNotGood(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.MakeUser(t, ada)
	first := b.mailed(t, u)
	second := b.mailed(t, u)
	b.verify(t, first, 400, "Invalid or expired")
	for _, body := range []string{`{}`, `{"token":""}`, `{"token":7}`, `{"token":"x","email":"y"}`, ``} {
		b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/auth/verify-email", Body: body, Status: 400})
	}
	b.verify(t, `\u0000`, 400)
	_, err := mailtoken.NewStore(b.DB).Issue(t.Context(), u, mailtoken.Reset, b.Clock.Now())
	require.NoError(t, err)
	reset, err := mailtoken.NewStore(b.DB).Issue(t.Context(), u, mailtoken.Reset, b.Clock.Now())
	require.NoError(t, err)
	b.verify(t, reset.Secret, 400, "Invalid or expired")
	require.NoError(t, b.Users.Update(t.Context(), u.ID, map[string]any{"deleted_at": b.Clock.Now()}))
	b.verify(t, second, 400, "Invalid or expired")
	require.NoError(t, b.Users.Update(t.Context(), u.ID, map[string]any{"deleted_at": nil, "email_key": "other@larkspur.example"}))
	b.verify(t, second, 400, "Invalid or expired")
	require.NoError(t, b.Users.Update(t.Context(), u.ID, map[string]any{"email_key": user.Key(ada)}))
	b.verify(t, second, 200)
}

// Of twenty clients at once one verifies; the others hear that it is done.
func TestVerifyInParallel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	secret := b.mailed(t, b.MakeUser(t, ada))
	kinds := make([]string, 20)
	var wg sync.WaitGroup
	for i := range kinds {
		wg.Go(func() {
			_, _, err := b.service.Verify(t.Context(), secret)
			kinds[i] = "verified"
			if err != nil {
				kinds[i] = fmt.Sprint(apperr.From(err).Kind)
			}
		})
	}
	wg.Wait()
	count := map[string]int{}
	for _, k := range kinds {
		count[k]++
	}
	require.Equal(t, map[string]int{"verified": 1, fmt.Sprint(apperr.KindConflict): 19}, count)
}

// Three requests an hour for each account; the fourth succeeds after Retry-After.
func TestResend(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u, other := b.MakeUser(t, ada), b.MakeUser(t, "grace@mossgate.example")
	resend := func(u *user.User, status int) httpapitest.Response {
		t.Helper()
		return b.host.Do(t, httpapitest.Scenario{
			Method: "POST", Path: "/v1/auth/resend-verification", As: &auth.Principal{Kind: auth.Session, UserID: u.ID}, Status: status,
		})
	}
	b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/auth/resend-verification", Status: 401})
	b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/auth/resend-verification", Status: 403, As: &auth.Principal{Kind: auth.Key, UserID: u.ID}})
	for range 3 {
		require.JSONEq(t, `{"message":"Verification email sent","email":"Ada@Larkspur.example","sent_at":"`+httpapi.FormatInstant(b.Clock.Now())+`"}`, resend(u, 200).Body)
		b.Clock.Move(10 * time.Minute)
	}
	got := resend(u, 429)
	require.Equal(t, "1800", got.Header.Get("Retry-After"))
	require.Contains(t, got.Body, "detail")
	resend(other, 200)
	require.Len(t, jobstest.Waiting(t, b.DB), 4, "what was refused is not sent")
	b.Clock.Set(sessiontest.Start.Add(time.Hour - time.Microsecond))
	resend(u, 429)
	b.Clock.Move(time.Microsecond)
	resend(u, 200)
	resend(u, 429)

	for _, job := range jobstest.Waiting(t, b.DB) {
		require.Equal(t, mailtoken.Verify.Job(), job.Type)
		require.Regexp(t, `^\{"user_id": \d+\}$`, job.Payload, "ids only")
	}
	jobstest.Deliver(t, b.DB, b.handler)
	require.Len(t, b.mails.To(ada), 4)
	require.Len(t, b.mails.To(other.Email), 1)
	newest := b.mails.To(ada)[3]
	b.verify(t, mailtest.Token(t, b.mails.To(ada)[2].Text), 400)
	b.verify(t, mailtest.Token(t, newest.Text), 200)
	b.Clock.Move(24 * time.Hour)
	resend(u, 409)
	require.NoError(t, b.Users.Update(t.Context(), other.ID, map[string]any{"deleted_at": b.Clock.Now()}))
	resend(other, 401)
}

// Requests sent at once do not slip through the limit.
func TestResendInParallel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.MakeUser(t, ada)
	kinds := make([]apperr.Kind, 12)
	var wg sync.WaitGroup
	for i := range kinds {
		wg.Go(func() {
			kinds[i] = -1
			if _, _, err := b.service.Resend(t.Context(), u.ID); err != nil {
				kinds[i] = apperr.From(err).Kind
			}
		})
	}
	wg.Wait()
	count := map[apperr.Kind]int{}
	for _, k := range kinds {
		count[k]++
	}
	require.Equal(t, map[apperr.Kind]int{-1: 3, apperr.KindRateLimited: 9}, count)
	require.Len(t, jobstest.Waiting(t, b.DB), 3)
}

// A job that runs twice sends one mail more, whose link works; the two are not taken for one. Only a hash is stored.
func TestJobRunsTwice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.MakeUser(t, ada)
	first, second := b.mailed(t, u), b.mailed(t, u)
	mails := b.mails.Messages()
	require.NotEqual(t, mails[0].MessageID, mails[1].MessageID)
	for _, m := range mails {
		require.NotEmpty(t, m.MessageID)
		require.Equal(t, "account", m.Category)
		require.Empty(t, m.To.Name, "the name stands in front of an address only when that is known to be the person's")
		require.Contains(t, m.Text, "24 hours")
		require.Contains(t, mailtest.Link(t, m.Text), mailingtest.Base+"/verify-email?token=")
	}
	var dump string
	require.NoError(t, b.DB.From(t.Context()).Raw("SELECT string_agg(m::text, ' ') FROM accounts.mail_tokens m").Scan(&dump).Error)
	for _, secret := range []string{first, second} {
		require.GreaterOrEqual(t, len(secret), 43)
		require.NotContains(t, dump, secret)
		require.Contains(t, dump, hex.EncodeToString(token.Hash(secret)))
		require.NotContains(t, mails[0].MessageID+mails[1].MessageID, secret)
	}
	b.verify(t, first, 400)
	b.verify(t, second, 200)

	run := func(payload string) error { return b.handler.Run(t.Context(), []byte(payload)) }
	require.NoError(t, run(fmt.Sprintf(`{"user_id":%d}`, u.ID)), "verified: nothing to send")
	require.NoError(t, run(`{"user_id":999999}`), "gone")
	gone := b.MakeUser(t, "gone@mossgate.example")
	require.NoError(t, b.Users.Update(t.Context(), gone.ID, map[string]any{"deleted_at": b.Clock.Now()}))
	require.NoError(t, run(fmt.Sprintf(`{"user_id":%d}`, gone.ID)))
	require.Len(t, b.mails.Messages(), 2)
	require.True(t, jobstest.Never(run(`nonsense`)))
}

// What the mail server refuses for good is not tried again; what it refuses for now is, with a new token.
func TestJobFailures(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.MakeUser(t, ada)
	payload := fmt.Appendf(nil, `{"user_id":%d}`, u.ID)
	b.mails.Fail(mailtest.Permanent())
	require.True(t, jobstest.Never(b.handler.Run(t.Context(), payload)))
	b.mails.Fail(mailtest.Temporary())
	err := b.handler.Run(t.Context(), payload)
	require.Error(t, err)
	require.False(t, jobstest.Never(err))
	require.Positive(t, b.handler.Retries)
	b.mails.Fail(nil)
	b.verify(t, b.mailed(t, u), 200)
}
