package export_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/deletion"
	"gpatlas/modules/accounts/internal/export"
	"gpatlas/modules/accounts/internal/mailing"
	"gpatlas/modules/accounts/internal/mailtoken"
	"gpatlas/modules/accounts/internal/reset"
	"gpatlas/modules/accounts/internal/session"
	"gpatlas/modules/accounts/internal/testkit/mailingtest"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/modules/accounts/internal/throttle"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/modules/accounts/internal/verification"
	"gpatlas/platform/auth"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/jobstest"
	"gpatlas/platform/testkit/mailtest"
)

// lines is a log that may be read while it is written.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// journey is all of an account's mailed tokens, deletion and recovery, over HTTP, with everything that is logged kept as it
// was handed to the log: nothing is redacted.
type journey struct {
	*sessiontest.Bench

	app      *fiber.App
	log      *lines
	handlers []jobs.Handler
	mails    *mailtest.Capture
	userID   int64
	session  string
	payloads strings.Builder
}

func newJourney(t *testing.T) *journey {
	t.Helper()
	j := &journey{Bench: sessiontest.New(t), log: &lines{}}
	logger := slog.New(slog.NewTextHandler(j.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	db, err := database.Open(t.Context(), database.Config{URL: dbtest.URL(t, j.DB), MaxConns: 4, TimeZone: dbtest.TimeZone, Logger: logger, Clock: j.Clock})
	require.NoError(t, err)
	t.Cleanup(db.Close)
	j.DB, j.Users = db, user.NewStore(db)
	j.Throttle = throttle.NewService(throttle.NewStore(db), j.Clock)
	j.Sessions = session.NewService(db, j.Clock, logger, j.Passwords, j.Throttle, j.Signer)
	queue, personal := jobs.NewEnqueuer(db), new(module.Personal)
	v := verification.NewService(db, j.Clock, j.Throttle, queue)
	r := reset.NewService(db, j.Clock, j.Passwords, j.Sessions, j.Throttle, queue)
	d := deletion.NewService(db, j.Clock, j.Passwords, j.Sessions, j.Throttle, queue, personal)
	mailer, mails := mailingtest.Mailer(t)
	j.mails, j.handlers = mails, []jobs.Handler{mailtoken.Handler(db, j.Clock, mailer, mailtoken.Verify), mailtoken.Handler(db, j.Clock, mailer, mailtoken.Reset), mailing.NoticeHandler(j.Users, mailer)}
	j.app = fiber.New(httpapi.FiberConfig(logger))
	j.app.Use(func(c *fiber.Ctx) error {
		c.SetUserContext(auth.With(c.UserContext(), &auth.Principal{Kind: auth.Session, UserID: j.userID, SessionID: j.session}))
		return c.Next()
	})
	api := httpapi.New(j.app, httpapi.Config{Title: "test", Version: "1.1.0", Logger: logger})
	require.NoError(t, api.Register(slices.Concat(verification.Routes(v), reset.Routes(r), deletion.Routes(d),
		export.Routes(export.NewService(db, j.Clock, j.Throttle, queue, personal)))))
	return j
}

// call sends a request and gives the answer's status and body.
func (j *journey) call(t *testing.T, method, path string, body map[string]string) (int, string) {
	t.Helper()
	text, err := json.Marshal(body)
	require.NoError(t, err)
	request := httptest.NewRequestWithContext(t.Context(), method, path, bytes.NewReader(text))
	if method != http.MethodGet {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := j.app.Test(request, -1)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	var answer bytes.Buffer
	_, err = answer.ReadFrom(response.Body)
	require.NoError(t, err)
	return response.StatusCode, answer.String()
}

// deliver runs what waits, and keeps the payloads.
func (j *journey) deliver(t *testing.T) {
	t.Helper()
	for _, job := range jobstest.Waiting(t, j.DB) {
		j.payloads.WriteString(job.Payload + job.TaskID + "\n")
	}
	jobstest.Deliver(t, j.DB, j.handlers...)
}

// No token and no password is in a job's payload, in the log, in an answer, in the export or in the database, whether
// things go well or not.
func TestNothingSecretLeaks(t *testing.T) {
	t.Parallel()
	j := newJourney(t)
	u := j.MakeUser(t, ada)
	j.userID = u.ID
	const fresh, wrong = "nine lanterns over the weir", "quite another sentence of words"
	secrets := []string{sessiontest.Password, fresh, wrong, u.PasswordHash}
	var answers strings.Builder
	call := func(status int, method, path string, body map[string]string) {
		t.Helper()
		got, answer := j.call(t, method, path, body)
		require.Equal(t, status, got, "%s %s: %s", method, path, answer)
		answers.WriteString(answer + "\n")
	}
	mailed := func() string {
		t.Helper()
		j.deliver(t)
		list := j.mails.Messages()
		secret := mailtest.Token(t, list[len(list)-1].Text)
		secrets = append(secrets, secret)
		return secret
	}
	call(200, "POST", "/v1/auth/resend-verification", nil)
	verify := mailed()
	call(400, "POST", "/v1/auth/verify-email", map[string]string{"token": "x" + verify})
	call(400, "POST", "/v1/auth/verify-email", map[string]string{"token": verify, "tokn": verify})
	call(200, "POST", "/v1/auth/verify-email", map[string]string{"token": verify})
	call(409, "POST", "/v1/auth/verify-email", map[string]string{"token": verify})
	call(200, "POST", "/v1/auth/forgot-password", map[string]string{"email": ada})
	secret := mailed()
	call(400, "POST", "/v1/auth/reset-password", map[string]string{"token": secret, "new_password": "passwordpassword"})
	call(400, "POST", "/v1/auth/reset-password", map[string]string{"token": secret, "new_password": fresh + strings.Repeat("x", 128)})
	call(200, "POST", "/v1/auth/reset-password", map[string]string{"token": secret, "new_password": fresh})
	call(400, "POST", "/v1/auth/reset-password", map[string]string{"token": secret, "new_password": fresh})
	call(401, "DELETE", "/v1/me/account", map[string]string{"confirmation": "DELETE", "password": wrong})
	call(403, "GET", "/v1/me/account/export", nil)
	tokens, _, err := j.Sessions.Login(t.Context(), ada, fresh, sessiontest.Client())
	require.NoError(t, err)
	j.session, secrets = tokens.SessionID, append(secrets, tokens.AccessToken, tokens.RefreshToken)
	call(200, "GET", "/v1/me/account/export", nil)
	call(204, "DELETE", "/v1/me/account", map[string]string{"confirmation": "DELETE", "password": fresh})
	call(401, "POST", "/v1/me/account/recover", map[string]string{"email": ada, "password": wrong})
	call(200, "POST", "/v1/me/account/recover", map[string]string{"email": ada, "password": fresh})
	j.deliver(t)
	j.mails.Fail(errors.Join(mailtest.Temporary()))
	call(200, "POST", "/v1/auth/forgot-password", map[string]string{"email": ada})
	for _, err := range jobstest.Run(t, j.DB, j.handlers...) {
		require.Error(t, err)
		answers.WriteString(err.Error())
	}
	now, err := j.Users.FindByID(t.Context(), u.ID)
	require.NoError(t, err)
	secrets = append(secrets, now.PasswordHash)
	var dump string
	require.NoError(t, j.DB.From(t.Context()).Raw(`SELECT string_agg(r, ' ') FROM (SELECT m::text AS r FROM accounts.mail_tokens m
		UNION ALL SELECT u::text FROM accounts.users u UNION ALL SELECT a::text FROM accounts.attempts a) AS rows`).Scan(&dump).Error)
	j.DB.Close()
	call(503, "POST", "/v1/auth/verify-email", map[string]string{"token": verify})
	call(503, "POST", "/v1/auth/reset-password", map[string]string{"token": secret, "new_password": fresh})
	call(503, "POST", "/v1/me/account/recover", map[string]string{"email": ada, "password": fresh})
	require.Contains(t, j.log.String(), "request unavailable", "the log is looked at")
	require.Contains(t, j.payloads.String(), strconv.FormatInt(u.ID, 10))

	for i, s := range secrets {
		for place, text := range map[string]string{"answers": answers.String(), "log": j.log.String(), "payloads": j.payloads.String()} {
			require.NotContains(t, text, s, "secret %d in %s", i, place)
		}
		if s != u.PasswordHash && s != now.PasswordHash {
			require.NotContains(t, dump, s, "secret %d in the database", i)
		}
	}
	require.NotContains(t, strings.ToLower(j.payloads.String()), "@", "payloads have no addresses")
}
