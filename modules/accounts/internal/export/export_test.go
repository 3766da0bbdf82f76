package export_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/export"
	"gpatlas/modules/accounts/internal/mailtoken"
	"gpatlas/modules/accounts/internal/school"
	"gpatlas/modules/accounts/internal/session"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/modules/accounts/internal/token"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
	"gpatlas/platform/testkit/httpapitest"
)

const ada = "Ada@mba2027.bschool.edu"

// part is what another module adds.
func part(name string, err error) module.Exporter {
	return module.Exporter{Name: name, For: func(_ context.Context, userID int64) (any, error) { return map[string]any{"account": userID}, err }}
}

func service(b *sessiontest.Bench, parts ...module.Exporter) *export.Service {
	return export.NewService(b.DB, b.Clock, b.Throttle, jobs.NewEnqueuer(b.DB), &module.Personal{Exporters: parts})
}

// Everything that is kept about a person is there, nothing of anybody else's, and nothing secret.
func TestExport(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	u, other := b.MakeUser(t, ada), b.MakeUser(t, "grace@mba2027.bschool.edu")
	tokens := mailtoken.NewStore(b.DB)
	surveys := school.NewService(b.DB, b.Clock, b.Schools)
	secrets := []string{u.PasswordHash, sessiontest.Password, other.Email, other.PasswordHash}
	hide := func(secret string) {
		secrets = append(secrets, secret, hex.EncodeToString(token.Hash(secret)))
	}
	current := ""
	for _, who := range []*user.User{u, other} {
		first := b.Login(t, who.Email)
		b.Clock.Move(time.Minute)
		second := b.Login(t, who.Email)
		if who == u {
			current = second.SessionID
		}
		b.Clock.Move(time.Minute)
		fresh, err := b.Sessions.Refresh(t.Context(), second.RefreshToken)
		require.NoError(t, err)
		for _, s := range []session.Tokens{first, second, fresh} {
			hide(s.AccessToken)
			hide(s.RefreshToken)
			if who == other {
				hide(s.SessionID)
			}
		}
		for _, purpose := range []mailtoken.Purpose{mailtoken.Verify, mailtoken.Reset} {
			issued, err := tokens.Issue(t.Context(), who, purpose, b.Clock.Now())
			require.NoError(t, err)
			hide(issued.Secret)
		}
		_, err = surveys.Answer(t.Context(), who.ID, "bschool", map[string]any{"who": who.Email})
		require.NoError(t, err)
	}
	host := httpapitest.New(t, export.Routes(service(b, part("keys", nil), part("watchlist", nil)))...)
	as := &auth.Principal{Kind: auth.Session, UserID: u.ID, SessionID: current}
	got := host.Do(t, httpapitest.Scenario{
		Path: "/v1/me/account/export", As: as, NotContains: secrets,
		WantHeader: map[string]string{"Content-Disposition": `attachment; filename="gpatlas-export-2026-11-20.json"`, "ETag": ""},
	})
	require.NotContains(t, strings.ToLower(got.Body), "hash")
	var document struct {
		Data export.Document
		Meta export.Meta
	}
	require.NoError(t, json.Unmarshal([]byte(got.Body), &document))
	d := document.Data
	require.Equal(t, ada, d.Account.Email)
	require.Len(t, d.Sessions, 2, "also the one that has ended")
	require.Equal(t, "login", *d.Sessions[0].EndedBy)
	require.Len(t, d.Sessions[1].RefreshTokens, 2)
	require.NotNil(t, d.Sessions[1].RefreshTokens[0].UsedAt)
	require.Len(t, d.MailedTokens, 2)
	require.Equal(t, user.Key(ada), d.MailedTokens[0].Email)
	require.Equal(t, []export.Answer{{Month: "2026-11", Answers: map[string]any{"who": ada}, AnsweredAt: sessiontest.Start.Add(2 * time.Minute)}}, d.SurveyAnswers)
	mine := map[string]any{"account": float64(u.ID)}
	require.Equal(t, map[string]any{"keys": mine, "watchlist": mine}, d.Parts)
	require.True(t, document.Meta.ExportedAt.Equal(b.Clock.Now()))

	host.Do(t, httpapitest.Scenario{Path: "/v1/me/account/export", Status: 401})
	host.Do(t, httpapitest.Scenario{Path: "/v1/me/account/export", As: &auth.Principal{Kind: auth.Key, UserID: u.ID}, Status: 403})
	require.NoError(t, b.Users.Update(t.Context(), u.ID, map[string]any{"deleted_at": b.Clock.Now()}))
	host.Do(t, httpapitest.Scenario{Path: "/v1/me/account/export", As: as, Status: 401})
}

// Every column of the tables about a person is in the document, but for those named here.
func TestExportIsComplete(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	u := b.MakeUser(t, ada)
	current := b.Login(t, ada).SessionID
	tokens := mailtoken.NewStore(b.DB)
	_, err := tokens.Issue(t.Context(), u, mailtoken.Verify, b.Clock.Now())
	require.NoError(t, err)
	require.NoError(t, b.DB.From(t.Context()).Exec(`INSERT INTO accounts.survey_answers VALUES (?, '2026-11-01', '{"a": 1}', now())`, u.ID).Error)
	d, err := service(b).Export(t.Context(), u.ID, current)
	require.NoError(t, err)
	text, err := json.Marshal(d)
	require.NoError(t, err)
	var document map[string]any
	require.NoError(t, json.Unmarshal(text, &document))
	first := func(list any) map[string]any { return list.([]any)[0].(map[string]any) }
	account := document["account"].(map[string]any)
	onboarding := account["onboarding"].(map[string]any)
	account["onboarding_step"], account["onboarding_completed"] = onboarding["step"], onboarding["completed"]
	for table, c := range map[string]struct {
		shown  map[string]any
		hidden []string
	}{
		// deleted_at: of an account that can be exported there is none. email_key follows from email.
		"users":          {account, []string{"password_hash", "email_key", "deleted_at"}},
		"sessions":       {first(document["sessions"]), []string{"user_id", "browser_hash"}},
		"refresh_tokens": {first(first(document["sessions"])["refresh_tokens"]), []string{"hash", "session_id"}},
		"mail_tokens":    {first(document["mailed_tokens"]), []string{"hash", "user_id", "email_key"}},
		"survey_answers": {first(document["survey_answers"]), []string{"user_id"}},
	} {
		var columns []string
		require.NoError(t, b.DB.From(t.Context()).Raw(`SELECT column_name FROM information_schema.columns
			WHERE table_schema = 'accounts' AND table_name = ? AND column_name NOT IN ?`, table, c.hidden).Scan(&columns).Error)
		require.NotEmpty(t, columns)
		for _, column := range columns {
			require.Contains(t, c.shown, column, table)
		}
	}
	var tables []string
	require.NoError(t, b.DB.From(t.Context()).Raw(`SELECT table_name FROM information_schema.tables
		WHERE table_schema = 'accounts' AND table_type = 'BASE TABLE' ORDER BY 1`).Scan(&tables).Error)
	require.Equal(t, []string{
		"attempts", "collection_items", "collections", "mail_tokens", "refresh_tokens", "saved_searches", "sessions", "survey_answers",
		"users", "watchlist_items",
	}, tables, "a new table about persons belongs into the export; attempts are about hashes, and kept for a day, and lists and searches are parts")
}

// A part that cannot be had is a failure, and so are two parts of one name: never a document that leaves something out.
func TestExportFails(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	u := b.MakeUser(t, ada)
	current := b.Login(t, u.Email).SessionID
	_, err := service(b, part("keys", errors.New("broken"))).Export(t.Context(), u.ID, current)
	require.ErrorContains(t, err, "export keys: broken")
	_, err = service(b, part("keys", nil), part("keys", nil)).Export(t.Context(), u.ID, current)
	require.ErrorContains(t, err, `"keys"`)
	empty, err := service(b).Export(t.Context(), u.ID, current)
	require.NoError(t, err)
	text, err := json.Marshal(empty)
	require.NoError(t, err)
	require.Contains(t, string(text), `"mailed_tokens":[],"survey_answers":[],"parts":{}`)
	b.DB.Close()
	_, err = service(b).Export(t.Context(), u.ID, current)
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
}
