package deletion_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/deletion"
	"gpatlas/modules/accounts/internal/mailing"
	"gpatlas/modules/accounts/internal/mailtoken"
	"gpatlas/modules/accounts/internal/session"
	"gpatlas/modules/accounts/internal/testkit/mailingtest"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/jobstest"
	"gpatlas/platform/testkit/mailtest"
)

const (
	ada = "Ada@Larkspur.example"
	day = 24 * time.Hour
)

// listener is another module: it writes what it hears into the outbox, so that it shows whether that was in the transaction.
type listener struct {
	db    *database.DB
	mu    sync.Mutex
	fails map[int64]error
	heard []string
}

func (l *listener) hear(ctx context.Context, what string, id int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heard = append(l.heard, fmt.Sprint(what, " ", id))
	if err := l.db.From(ctx).Exec("INSERT INTO platform.outbox (type, payload) VALUES ('test.heard', '{}')").Error; err != nil {
		return err
	}
	return l.fails[id]
}

func (l *listener) hears(what string) []module.AccountListener {
	return []module.AccountListener{func(ctx context.Context, id int64) error { return l.hear(ctx, what, id) }}
}

type bench struct {
	*sessiontest.Bench

	service  *deletion.Service
	listener *listener
	notices  jobs.Handler
	mails    *mailtest.Capture
	host     *httpapitest.Host
}

func setup(t *testing.T) *bench {
	t.Helper()
	b := &bench{Bench: sessiontest.New(t)}
	b.listener = &listener{db: b.DB, fails: map[int64]error{}}
	b.service = deletion.NewService(b.DB, b.Clock, b.Passwords, b.Sessions, b.Throttle, jobs.NewEnqueuer(b.DB),
		&module.Personal{Deleted: b.listener.hears("deleted"), Purged: b.listener.hears("purged")})
	mailer, mails := mailingtest.Mailer(t)
	b.mails, b.notices = mails, mailing.NoticeHandler(b.Users, mailer)
	b.host = httpapitest.New(t, deletion.Routes(b.service)...)
	return b
}

func (b *bench) find(t *testing.T, id int64) *user.User {
	t.Helper()
	u, err := b.Users.FindByID(t.Context(), id)
	require.NoError(t, err)
	return u
}

func (b *bench) delete(t *testing.T, u *user.User) {
	t.Helper()
	require.NoError(t, b.service.Delete(t.Context(), u.ID, "DELETE", sessiontest.Password, session.Client{}))
}

func (b *bench) recover(t *testing.T, email, password string, status int) httpapitest.Response {
	t.Helper()
	return b.host.Do(t, httpapitest.Scenario{
		Method: "POST", Path: "/v1/me/account/recover", Body: fmt.Sprintf(`{"email":%q,"password":%q}`, email, password), Status: status,
	})
}

// Deleting needs the word and the password; it ends sessions and tokens, and notifies the other modules and the holder.
func TestDelete(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u, other := b.MakeUser(t, ada), b.MakeUser(t, "grace@mossgate.example")
	tokens, theirs := b.Login(t, ada), b.Login(t, other.Email)
	issued, err := mailtoken.NewStore(b.DB).Issue(t.Context(), u, mailtoken.Reset, b.Clock.Now())
	require.NoError(t, err)
	as := &auth.Principal{Kind: auth.Session, UserID: u.ID, SessionID: tokens.SessionID}
	body := func(word, password string) string {
		return fmt.Sprintf(`{"confirmation":%q,"password":%q}`, word, password)
	}
	path := "/v1/me/account"
	for _, s := range []httpapitest.Scenario{
		{Body: body("DELETE", sessiontest.Password), Status: 401},
		{As: &auth.Principal{Kind: auth.Key, UserID: u.ID}, Body: body("DELETE", sessiontest.Password), Status: 403},
		{As: as, Body: body("delete", sessiontest.Password), Status: 400, Contains: []string{`"confirmation"`}},
		{As: as, Body: body("", sessiontest.Password), Status: 400, Contains: []string{`"confirmation"`}},
		{As: as, Body: body("DELETE ", sessiontest.Password), Status: 400, Contains: []string{`"confirmation"`}},
		{As: as, Body: `{"confirmation":"DELETE"}`, Status: 400, Contains: []string{`"password"`}},
		{As: as, Body: `{"confirmation":"DELETE","password":"x","user_id":1}`, Status: 400, Contains: []string{`user_id`}},
		{As: as, Body: body("DELETE", "not the password"), Status: 401, WantJSON: `{"detail":"Incorrect password"}`},
		{As: as, Status: 400},
	} {
		s.Method, s.Path = "DELETE", path
		b.host.Do(t, s)
		require.Nil(t, b.find(t, u.ID).DeletedAt)
	}
	require.Empty(t, jobstest.Waiting(t, b.DB))

	got := b.host.Do(t, httpapitest.Scenario{Method: "DELETE", Path: path, As: as, Body: body("DELETE", sessiontest.Password), Status: 204})
	require.Empty(t, got.Body)
	require.True(t, b.Clock.Now().Equal(*b.find(t, u.ID).DeletedAt))
	require.Nil(t, b.find(t, other.ID).DeletedAt)
	_, err = b.Sessions.VerifySession(t.Context(), tokens.AccessToken)
	require.Equal(t, apperr.KindUnauthenticated, apperr.From(err).Kind)
	_, err = b.Sessions.VerifySession(t.Context(), theirs.AccessToken)
	require.NoError(t, err)
	row, err := mailtoken.NewStore(b.DB).Find(t.Context(), mailtoken.Reset, issued.Secret)
	require.NoError(t, err)
	require.False(t, row.ExpiresAt.After(b.Clock.Now()))
	require.Equal(t, []string{fmt.Sprint("deleted ", u.ID)}, b.listener.heard)
	jobstest.Deliver(t, b.DB, b.notices)
	mails := b.mails.Messages()
	require.Len(t, mails, 1)
	require.Equal(t, ada, mails[0].To.Email)
	require.Equal(t, "Your GP Atlas account was deleted", mails[0].Subject)
	require.Contains(t, mails[0].Text, "before\n20 December 2026 at 09:30 UTC")
	b.host.Do(t, httpapitest.Scenario{Method: "DELETE", Path: path, As: as, Body: body("DELETE", sessiontest.Password), Status: 401})
}

// What another module cannot do undoes all of it.
func TestDeleteIsAllOrNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.MakeUser(t, ada)
	tokens := b.Login(t, ada)
	b.listener.fails[u.ID] = errors.New("the subscription cannot be cancelled")
	require.Error(t, b.service.Delete(t.Context(), u.ID, "DELETE", sessiontest.Password, session.Client{}))
	require.Nil(t, b.find(t, u.ID).DeletedAt)
	_, err := b.Sessions.VerifySession(t.Context(), tokens.AccessToken)
	require.NoError(t, err)
	require.Empty(t, jobstest.Waiting(t, b.DB), "also what the module wrote")
	var attempts int64
	require.NoError(t, b.DB.From(t.Context()).Raw("SELECT count(*) FROM accounts.attempts").Scan(&attempts).Error)
	require.Zero(t, attempts, "the password was right")
	delete(b.listener.fails, u.ID)
	b.delete(t, u)
}

// Recovered within thirty days, to the second; the account is as it was.
func TestRecover(t *testing.T) {
	t.Parallel()
	for after, status := range map[time.Duration]int{
		0: 200, 30*day - time.Second: 200, 30*day - time.Microsecond: 200, 30 * day: 401, 31 * day: 401,
	} {
		t.Run(after.String(), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			u := b.MakeUser(t, ada)
			b.recover(t, ada, sessiontest.Password, 409)
			b.delete(t, u)
			jobstest.Deliver(t, b.DB, b.notices)
			b.mails.Reset()
			b.Clock.Move(after)
			got := b.recover(t, " ADA@larkspur.example ", sessiontest.Password, status)
			if status != 200 {
				require.NotNil(t, b.find(t, u.ID).DeletedAt)
				require.JSONEq(t, `{"detail":"Incorrect email address or password"}`, got.Body)
				return
			}
			require.Contains(t, got.Body, `"email":"Ada@Larkspur.example"`)
			require.Contains(t, got.Body, `"recovered_at":"`+httpapi.FormatInstant(b.Clock.Now())+`"`)
			now := b.find(t, u.ID)
			require.Nil(t, now.DeletedAt)
			now.UpdatedAt = u.UpdatedAt
			require.Equal(t, u.Record(u.CreatedAt), now.Record(u.CreatedAt))
			b.Login(t, ada)
			jobstest.Deliver(t, b.DB, b.notices)
			require.Len(t, b.mails.Messages(), 1)
			require.Equal(t, "Your GP Atlas account is back", b.mails.Messages()[0].Subject)
			b.recover(t, ada, sessiontest.Password, 409)
		})
	}
}

// Each failed recovery costs one hash and returns the error of a failed sign-in, whatever the reason.
func TestRecoverFailuresAreAlike(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.MakeUser(t, ada)
	b.delete(t, b.MakeUser(t, "gone@mossgate.example"))
	b.delete(t, b.MakeUser(t, "late@mossgate.example"))
	require.NoError(t, b.DB.From(t.Context()).Exec("UPDATE accounts.users SET deleted_at = ? WHERE email_key = 'late@mossgate.example'", b.Clock.Now().Add(-30*day)).Error)
	_, _, login := b.Sessions.Login(t.Context(), ada, "not the password", session.Client{})
	want := fmt.Sprintf(`{"detail":%q}`, apperr.From(login).Message)
	for _, c := range [][2]string{
		{ada, "not the password"},
		{"nobody@larkspur.example", sessiontest.Password},
		{"gone@mossgate.example", "not the password"},
		{"late@mossgate.example", sessiontest.Password},
		{"late@mossgate.example", "not the password"},
		{"no address", sessiontest.Password},
		{"%@mossgate.example", sessiontest.Password},
	} {
		before := b.Passwords.Computed()
		require.JSONEq(t, want, b.recover(t, c[0], c[1], 401).Body, c[0])
		require.Equal(t, before+1, b.Passwords.Computed(), c[0])
	}
	for range 9 {
		b.recover(t, "gone@mossgate.example", "not the password", 401)
		b.recover(t, "nobody@larkspur.example", "not the password", 401)
	}
	_, _, login = b.Sessions.Login(t.Context(), "gone@mossgate.example", "not the password", session.Client{})
	require.Equal(t, apperr.KindRateLimited, apperr.From(login).Kind, "the failures are those of signing in")
	want = fmt.Sprintf(`{"detail":%q}`, apperr.From(login).Message)
	for _, c := range [][2]string{
		{"gone@mossgate.example", sessiontest.Password}, {"gone@mossgate.example", "not the password"}, {"nobody@larkspur.example", "x"},
	} {
		before := b.Passwords.Computed()
		got := b.recover(t, c[0], c[1], 429)
		require.JSONEq(t, want, got.Body)
		require.Equal(t, "900", got.Header.Get("Retry-After"))
		require.Equal(t, before+1, b.Passwords.Computed(), c[0])
	}
	b.Clock.Move(15 * time.Minute)
	b.recover(t, "gone@mossgate.example", sessiontest.Password, 200)
}

// Failures here and failed sign-ins from one place are counted together: of IPv6 addresses by their /64.
func TestFailuresFromOnePlace(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.MakeUser(t, ada)
	from := func(address string) session.Client { return session.Client{Address: netip.MustParseAddr(address)} }
	for i := range 50 {
		_, _, err := b.service.Recover(t.Context(), fmt.Sprintf("nobody%d@mossgate.example", i), "x", from("2001:db8:1:2::1"))
		require.Equal(t, apperr.KindUnauthenticated, apperr.From(err).Kind)
	}
	_, _, err := b.Sessions.Login(t.Context(), ada, sessiontest.Password, from("2001:db8:1:2:ffff::9"))
	require.Equal(t, apperr.KindRateLimited, apperr.From(err).Kind)
	err = b.service.Delete(t.Context(), u.ID, "DELETE", sessiontest.Password, from("2001:db8:1:2::7"))
	require.Equal(t, apperr.KindRateLimited, apperr.From(err).Kind)
	require.NoError(t, b.service.Delete(t.Context(), u.ID, "DELETE", sessiontest.Password, from("2001:db8:1:3::7")))
}

// Of many at once one deletes, and one recovers.
func TestInParallel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.MakeUser(t, ada)
	count := func(do func() error) map[string]int {
		said := make([]string, 9)
		var wg sync.WaitGroup
		for i := range said {
			wg.Go(func() {
				said[i] = "done"
				if err := do(); err != nil {
					said[i] = apperr.From(err).Message
				}
			})
		}
		wg.Wait()
		list := map[string]int{}
		for _, s := range said {
			list[s]++
		}
		return list
	}
	require.Equal(t, map[string]int{"done": 1, "Could not validate credentials": 8}, count(func() error {
		return b.service.Delete(t.Context(), u.ID, "DELETE", sessiontest.Password, session.Client{})
	}))
	require.Len(t, b.listener.heard, 1)
	require.Equal(t, map[string]int{"done": 1, "The account is not deleted; sign in as usual": 8}, count(func() error {
		_, _, err := b.service.Recover(t.Context(), ada, sessiontest.Password, session.Client{})
		return err
	}))
	jobstest.Deliver(t, b.DB, b.notices)
	require.Len(t, b.mails.Messages(), 1, "the word of a deletion that is undone is not sent")
	b.Login(t, ada)
}

// After thirty days the rows are gone for ever, and the address is free; not a second earlier.
func TestPurge(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u, other := b.MakeUser(t, ada), b.MakeUser(t, "grace@mossgate.example")
	b.Login(t, ada)
	_, err := mailtoken.NewStore(b.DB).Issue(t.Context(), u, mailtoken.Verify, b.Clock.Now())
	require.NoError(t, err)
	require.NoError(t, b.DB.From(t.Context()).Exec(`INSERT INTO accounts.survey_answers VALUES (?, '2026-11-01', '{}', now())`, u.ID).Error)
	b.delete(t, u)
	b.Clock.Move(time.Hour)
	b.delete(t, other)
	jobstest.Deliver(t, b.DB, b.notices)
	purge := deletion.Handlers(b.service)[0]
	require.Equal(t, b.service.Part().Schedules[0].Type, purge.Type)
	run := func() { t.Helper(); require.NoError(t, purge.Run(t.Context(), []byte(`{}`))) }

	b.Clock.Set(sessiontest.Start.Add(30*day - time.Microsecond))
	run()
	require.NotNil(t, b.find(t, u.ID))
	b.Clock.Move(time.Microsecond)
	run()
	require.Nil(t, b.find(t, u.ID))
	require.NotNil(t, b.find(t, other.ID), "an hour later")
	for _, table := range []string{"sessions", "mail_tokens", "survey_answers"} {
		var n int64
		require.NoError(t, b.DB.From(t.Context()).Raw("SELECT count(*) FROM accounts."+table+" WHERE user_id = ?", u.ID).Scan(&n).Error)
		require.Zero(t, n, table)
	}
	require.Contains(t, b.listener.heard, fmt.Sprint("purged ", u.ID))
	heard := len(b.listener.heard)
	run()
	require.Len(t, b.listener.heard, heard, "a second run does nothing")
	b.recover(t, ada, sessiontest.Password, 401)
	again := b.MakeUser(t, ada)
	require.NotEqual(t, u.ID, again.ID)
	b.Login(t, ada)
}

// An account that cannot be purged keeps all that is its own, and does not keep the others.
func TestPurgeGoesOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var list []*user.User
	for i := range 3 {
		list = append(list, b.MakeUser(t, fmt.Sprintf("ada%d@larkspur.example", i)))
		b.delete(t, list[i])
	}
	b.Clock.Move(30 * day)
	b.listener.fails[list[0].ID] = errors.New("away")
	n, err := b.service.Purge(t.Context())
	require.ErrorContains(t, err, "away")
	require.Equal(t, 2, n)
	require.NotNil(t, b.find(t, list[0].ID))
	require.Nil(t, b.find(t, list[1].ID))
	delete(b.listener.fails, list[0].ID)
	n, err = b.service.Purge(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
}
