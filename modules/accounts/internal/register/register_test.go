package register_test

import (
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/register"
	"gpatlas/modules/accounts/internal/session"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/platform/apperr"
	"gpatlas/platform/jobs"
)

func setup(t *testing.T) (*sessiontest.Bench, *register.Service) {
	t.Helper()
	b := sessiontest.New(t)
	return b, register.NewService(b.DB, b.Clock, b.Passwords, b.Sessions, b.Throttle, jobs.NewEnqueuer(b.DB), b.Schools)
}

func form(email string) register.Form {
	return register.Form{Email: email, Password: sessiontest.Password, FullName: "Ada Larkspur"}
}

// waiting are the jobs in the outbox: type and payload.
func waiting(t *testing.T, b *sessiontest.Bench) []string {
	t.Helper()
	var list []string
	require.NoError(t, b.DB.From(t.Context()).Raw("SELECT type || ' ' || payload::text FROM platform.outbox ORDER BY id").Scan(&list).Error)
	return list
}

// Registration makes the account, its session and the job that sends the verification mail.
func TestRegister(t *testing.T) {
	t.Parallel()
	b, s := setup(t)
	f := form("  Ada@Larkspur.example ")
	f.Company, f.UseCase, f.MarketingConsent = " Harbor Ridge Capital ", "Screening\nof managers", true
	u, tokens, err := s.Register(t.Context(), f, sessiontest.Client())
	require.NoError(t, err)
	stored, err := b.Users.FindByID(t.Context(), u.ID)
	require.NoError(t, err)
	require.Equal(t, u.Record(u.CreatedAt), stored.Record(u.CreatedAt))
	require.Equal(t, "Ada@Larkspur.example", stored.Email)
	require.Equal(t, "ada@larkspur.example", stored.EmailKey)
	require.Equal(t, "Harbor Ridge Capital", *stored.Company)
	require.Equal(t, "Screening\nof managers", *stored.UseCase)
	require.Nil(t, stored.JobTitle)
	require.True(t, stored.MarketingConsent)
	require.False(t, stored.IsAdmin)
	require.Nil(t, stored.EmailVerifiedAt)
	require.Equal(t, "free_trial", stored.Tier)
	require.Equal(t, sessiontest.Start.Add(14*24*time.Hour), stored.TrialEndsAt.UTC())
	require.NotContains(t, stored.PasswordHash, sessiontest.Password)

	caller, err := b.Sessions.VerifySession(t.Context(), tokens.AccessToken)
	require.NoError(t, err)
	require.Equal(t, u.ID, caller.UserID)
	require.Equal(t, []string{`accounts.send_verification {"user_id": ` + strconv.FormatInt(u.ID, 10) + `}`}, waiting(t, b))
	_, _, err = b.Sessions.Login(t.Context(), "ada@larkspur.example", sessiontest.Password, session.Client{})
	require.NoError(t, err)
}

// Of concurrent registrations of one address one succeeds; the others are refused and store nothing.
func TestParallelRegistrations(t *testing.T) {
	t.Parallel()
	b, s := setup(t)
	errs := make([]error, 16)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			email := "ada@larkspur.example"
			if i%2 == 1 {
				email = "ADA@Larkspur.Example"
			}
			_, _, errs[i] = s.Register(t.Context(), form(email), sessiontest.Client())
		})
	}
	wg.Wait()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
			continue
		}
		require.Equal(t, apperr.KindConflict, apperr.From(err).Kind, "%v", err)
	}
	require.Equal(t, 1, won)
	require.Len(t, waiting(t, b), 1)
	for table, want := range map[string]int64{"accounts.users": 1, "accounts.sessions": 1, "accounts.refresh_tokens": 1} {
		var count int64
		require.NoError(t, b.DB.From(t.Context()).Table(table).Count(&count).Error)
		require.Equal(t, want, count, table)
	}
}

// The address of a deleted account stays in use until it is purged.
func TestRegisterDeletedAddress(t *testing.T) {
	t.Parallel()
	b, s := setup(t)
	u := b.MakeUser(t, "ada@larkspur.example")
	require.NoError(t, b.Users.Update(t.Context(), u.ID, map[string]any{"deleted_at": b.Clock.Now()}))
	_, _, err := s.Register(t.Context(), form("ada@larkspur.example"), sessiontest.Client())
	require.Equal(t, apperr.KindConflict, apperr.From(err).Kind)
	require.NoError(t, b.DB.From(t.Context()).Delete(u).Error)
	_, _, err = s.Register(t.Context(), form("ada@larkspur.example"), sessiontest.Client())
	require.NoError(t, err)
}

// All faults of a form are reported at once, and nothing is hashed for it.
func TestRegisterFaults(t *testing.T) {
	t.Parallel()
	b, s := setup(t)
	before := b.Passwords.Computed()
	_, _, err := s.Register(t.Context(), register.Form{
		Email: "ada", Password: "short", FullName: "   ", Company: "Harbor\nRidge", JobTitle: strings.Repeat("x", 201), UseCase: "a\x00b",
	}, sessiontest.Client())
	require.Equal(t, apperr.KindInvalid, apperr.From(err).Kind)
	fields := map[string]string{}
	for _, f := range apperr.From(err).Fields {
		fields[f.Field] = f.Message
	}
	require.Equal(t, map[string]string{
		"email": "must be an email address such as ada@larkspur.example", "password": "must have 12 to 128 characters", "full_name": "is required",
		"company": "must be one line without control or invisible characters", "job_title": "is too long",
		"use_case": "must not contain control characters other than tabs and line breaks, nor invisible characters",
	}, fields)
	for field, f := range map[string]register.Form{
		"password":  {Email: "ada.lovelace@larkspur.example", Password: "ada.lovelace-1815", FullName: "Ada"},
		"full_name": {Email: "ada@larkspur.example", Password: sessiontest.Password, FullName: "Ada\r\nBcc: x@mossgate.example"},
		"company":   {Email: "ada@larkspur.example", Password: sessiontest.Password, FullName: "Ada", Company: "Har\u200bbor"},
		"job_title": {Email: "ada@larkspur.example", Password: sessiontest.Password, FullName: "Ada", JobTitle: "tsylanA \u202e"},
		"use_case":  {Email: "ada@larkspur.example", Password: sessiontest.Password, FullName: "Ada", UseCase: "Screening\n\u2066of managers"},
		"email":     {Email: "ada@larkspur.example\nBcc: x@mossgate.example", Password: sessiontest.Password, FullName: "Ada"},
	} {
		_, _, err := s.Register(t.Context(), f, sessiontest.Client())
		require.Len(t, apperr.From(err).Fields, 1, field)
		require.Equal(t, field, apperr.From(err).Fields[0].Field)
	}
	require.Equal(t, before, b.Passwords.Computed())
	require.Empty(t, waiting(t, b))
}

// Without the job there is no account: both or neither.
func TestRegisterIsAllOrNothing(t *testing.T) {
	t.Parallel()
	b, s := setup(t)
	require.NoError(t, b.DB.From(t.Context()).Exec("ALTER TABLE platform.outbox RENAME TO outbox_away").Error)
	_, _, err := s.Register(t.Context(), form("ada@larkspur.example"), sessiontest.Client())
	require.Error(t, err)
	u, err := b.Users.FindByEmail(t.Context(), "ada@larkspur.example")
	require.NoError(t, err)
	require.Nil(t, u)
	b.DB.Close()
	_, _, err = s.Register(t.Context(), form("ada@larkspur.example"), sessiontest.Client())
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
}
