// Package export provides people with all data that is stored about them, as one document.
package export

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"gpatlas/modules/accounts/internal/mailing"
	"gpatlas/modules/accounts/internal/mailtoken"
	"gpatlas/modules/accounts/internal/throttle"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
)

// Profile is the account's row, without the password's hash and the normalized address.
type Profile struct {
	user.Record

	Company          *string    `json:"company" doc:"Company of the person, as registered." example:"Harbor Ridge Capital"`
	JobTitle         *string    `json:"job_title" doc:"Job title, as registered." example:"Analyst"`
	UseCase          *string    `json:"use_case" doc:"Intended use of the data, as registered." example:"Screening of managers"`
	MarketingConsent bool       `json:"marketing_consent" doc:"Whether emails about the product may be sent." example:"false"`
	EmailVerifiedAt  *time.Time `json:"email_verified_at" doc:"When the email address was verified (UTC). Null if it is not verified." example:"2026-11-20T09:40:00.000000Z"`
	School           *string    `json:"school" doc:"Slug of the school, for email addresses of graduate classes." example:"bschool"`
	GraduationYear   *int       `json:"graduation_year" doc:"Year of graduation, for email addresses of graduate classes." example:"2027"`
	TierSubscribed   bool       `json:"api_tier_subscribed" doc:"Whether the API tier is subscribed to. If not, registration or a school gave it." example:"false"`
	TrialNoticedAt   *time.Time `json:"trial_noticed_at" doc:"When the notice that the trial ends soon was sent (UTC)." example:"2026-12-01T11:00:00.000000Z"`
	UpdatedAt        time.Time  `json:"updated_at" doc:"Last change of the account (UTC)." example:"2026-11-20T09:40:00.000000Z"`
	LastLoginAt      *time.Time `json:"last_login_at" doc:"Last sign-in (UTC)." example:"2026-11-20T09:30:00.000000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (Profile) SchemaName() string { return "ExportedProfile" }

// Session is a sign-in, also one that has ended.
type Session struct {
	ID            string     `json:"id" doc:"ID of the session." example:"sess_4k2m7qz5x3n6v8b2c4l7w3t5ya"`
	Device        string     `json:"device" doc:"Browser and system, or program." example:"Firefox on Linux"`
	IPAddress     string     `json:"ip_address" doc:"IP address of the sign-in." example:"203.0.113.7"`
	Location      *string    `json:"location" doc:"Location of the IP address. Null if unknown." example:"Boston, US"`
	CreatedAt     time.Time  `json:"created_at" doc:"Time of the sign-in (UTC)." example:"2026-11-20T09:30:00.000000Z"`
	LastActive    time.Time  `json:"last_active" doc:"Last use (UTC)." example:"2026-11-20T09:45:00.000000Z"`
	ExpiresAt     time.Time  `json:"expires_at" doc:"When the session expires if it is not refreshed (UTC)." example:"2026-12-20T09:30:00.000000Z"`
	EndedAt       *time.Time `json:"ended_at" doc:"When the session ended (UTC). Null while it is active." example:"2026-11-20T10:00:00.000000Z"`
	EndedBy       *string    `json:"ended_by" doc:"Reason of the end: logout, login (a newer sign-in), user, password, deletion, reuse, operator." example:"logout"`
	RefreshTokens []Token    `json:"refresh_tokens" doc:"Times of the refresh tokens of the session. The tokens are not kept."`
}

// SchemaName is its name in the OpenAPI document.
func (Session) SchemaName() string { return "ExportedSession" }

// Token is when a token was issued and used. The token and its hash are left out.
type Token struct {
	IssuedAt  time.Time  `json:"issued_at" doc:"When the token was issued (UTC)." example:"2026-11-20T09:30:00.000000Z"`
	ExpiresAt time.Time  `json:"expires_at" doc:"When the token expired or expires (UTC)." example:"2026-12-20T09:30:00.000000Z"`
	UsedAt    *time.Time `json:"used_at" doc:"When the token was used (UTC). Null if never." example:"2026-11-20T09:45:00.000000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (Token) SchemaName() string { return "ExportedToken" }

// MailedToken is a token that was mailed.
type MailedToken struct {
	Token

	Purpose string `json:"purpose" enum:"verify,reset" doc:"Purpose: verify the email address, or reset the password." example:"verify"`
	Email   string `json:"email" doc:"Email address of the recipient, in lower case." example:"ada@larkspur.example"`
}

// SchemaName is its name in the OpenAPI document.
func (MailedToken) SchemaName() string { return "ExportedMailedToken" }

// Answer is an answer to a school's survey.
type Answer struct {
	Month      string         `json:"month" doc:"The calendar month (UTC)." example:"2026-11"`
	Answers    map[string]any `json:"answers" doc:"Answers as sent."`
	AnsweredAt time.Time      `json:"answered_at" doc:"When (UTC)." example:"2026-11-20T09:30:00.000000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (Answer) SchemaName() string { return "ExportedSurveyAnswer" }

// Document is everything that is stored about a person.
type Document struct {
	Account       Profile        `json:"account" doc:"The account."`
	Sessions      []Session      `json:"sessions" doc:"Sessions, oldest first. Ended sessions are kept for ninety days."`
	MailedTokens  []MailedToken  `json:"mailed_tokens" doc:"Tokens sent by email, oldest first."`
	SurveyAnswers []Answer       `json:"survey_answers" doc:"Answers to the survey of the school program, oldest first."`
	Parts         map[string]any `json:"parts" doc:"Data kept by the other parts of the service, by name of the part."`
}

// SchemaName is its name in the OpenAPI document.
func (Document) SchemaName() string { return "AccountExport" }

// Service makes documents.
type Service struct {
	db       *database.DB
	clock    clock.Clock
	users    *user.Store
	tokens   *mailtoken.Store
	attempts *throttle.Service
	queue    *jobs.Enqueuer
	personal *module.Personal
	store    *store
}

// NewService works on db.
func NewService(db *database.DB, clk clock.Clock, attempts *throttle.Service, queue *jobs.Enqueuer, personal *module.Personal) *Service {
	return &Service{
		db: db, clock: clk, users: user.NewStore(db), tokens: mailtoken.NewStore(db),
		attempts: attempts, queue: queue, personal: personal, store: &store{db},
	}
}

var errGone = apperr.New(apperr.KindUnauthenticated, "Could not validate credentials")

// recent is the maximum age of the sign-in.
const recent = 10 * time.Minute

var errSignIn = apperr.New(apperr.KindForbidden, "Sign in again: the export needs a session that was opened with the password within the last ten minutes")

const throttledText = "The data was exported ten times within a day; try again later"

// Export returns the document of an account, at most ten times within 24 hours, and notifies its holder by mail, so that a
// stranger with a session cannot take it unnoticed. If one part fails, the export fails: an incomplete document would be worse
// than none.
//
// Spec: not shown that the password is asked for; the session must have been opened with it within ten minutes, so that a
// stranger with a token does not get the document. A GET has no body, and passwords have characters that a header cannot carry.
func (s *Service) Export(ctx context.Context, userID int64, sessionID string) (Document, error) {
	var d Document
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		u, err := s.users.FindByID(ctx, userID)
		if err != nil {
			return err
		}
		if u == nil || u.Deleted() {
			return errGone
		}
		opened, err := s.store.opened(ctx, userID, sessionID)
		if err != nil {
			return err
		}
		if s.clock.Now().Sub(opened) > recent {
			return errSignIn
		}
		if err := s.attempts.Spend(ctx, throttle.Use{Rule: throttle.Export, Subject: strconv.FormatInt(userID, 10)}, throttledText); err != nil {
			return err
		}
		d.Account = profile(u, s.clock.Now())
		if d.Sessions, err = s.sessions(ctx, userID); err != nil {
			return err
		}
		if d.MailedTokens, err = s.mailed(ctx, userID); err != nil {
			return err
		}
		if d.SurveyAnswers, err = s.answers(ctx, userID); err != nil {
			return err
		}
		if d.Parts, err = s.parts(ctx, userID); err != nil {
			return err
		}
		return mailing.Enqueue(ctx, s.queue, mailing.DataExported, userID, s.clock.Now().Truncate(time.Microsecond))
	})
	if err != nil {
		return Document{}, err
	}
	return d, nil
}

func (s *Service) parts(ctx context.Context, userID int64) (map[string]any, error) {
	parts := make(map[string]any, len(s.personal.Exporters))
	for _, e := range s.personal.Exporters {
		if _, twice := parts[e.Name]; twice {
			return nil, fmt.Errorf("two parts of the export are called %q", e.Name)
		}
		part, err := e.For(ctx, userID)
		if err != nil {
			return nil, fmt.Errorf("export %s: %w", e.Name, err)
		}
		parts[e.Name] = part
	}
	return parts, nil
}

func (s *Service) sessions(ctx context.Context, userID int64) ([]Session, error) {
	rows, tokens, err := s.store.sessions(ctx, userID)
	if err != nil {
		return nil, err
	}
	of := map[string][]Token{}
	for _, t := range tokens {
		of[t.SessionID] = append(of[t.SessionID], Token{t.IssuedAt.UTC(), t.ExpiresAt.UTC(), clock.UTC(t.UsedAt)})
	}
	list := make([]Session, len(rows))
	for i, r := range rows {
		list[i] = Session{
			ID: r.ID, Device: r.Device, IPAddress: r.IPAddress, Location: r.Location, CreatedAt: r.CreatedAt.UTC(),
			LastActive: r.LastActive.UTC(), ExpiresAt: r.ExpiresAt.UTC(), EndedAt: clock.UTC(r.EndedAt), EndedBy: r.EndedBy,
			RefreshTokens: append([]Token{}, of[r.ID]...),
		}
	}
	return list, nil
}

func (s *Service) mailed(ctx context.Context, userID int64) ([]MailedToken, error) {
	rows, err := s.tokens.List(ctx, userID)
	if err != nil {
		return nil, err
	}
	list := make([]MailedToken, len(rows))
	for i, r := range rows {
		list[i] = MailedToken{Token: Token{r.IssuedAt.UTC(), r.ExpiresAt.UTC(), clock.UTC(r.UsedAt)}, Purpose: r.Purpose, Email: r.EmailKey}
	}
	return list, nil
}

func (s *Service) answers(ctx context.Context, userID int64) ([]Answer, error) {
	rows, err := s.store.answers(ctx, userID)
	if err != nil {
		return nil, err
	}
	list := make([]Answer, len(rows))
	for i, r := range rows {
		list[i] = Answer{Month: r.Month, AnsweredAt: r.AnsweredAt.UTC()}
		if err := json.Unmarshal([]byte(r.Answers), &list[i].Answers); err != nil {
			return nil, fmt.Errorf("read a survey's answers: %w", err)
		}
	}
	return list, nil
}

func profile(u *user.User, now time.Time) Profile {
	return Profile{
		Record: u.Record(now), Company: u.Company, JobTitle: u.JobTitle, UseCase: u.UseCase, MarketingConsent: u.MarketingConsent,
		EmailVerifiedAt: clock.UTC(u.EmailVerifiedAt), School: u.School, GraduationYear: u.GraduationYear,
		TierSubscribed: u.APITierSubscribed, TrialNoticedAt: clock.UTC(u.TrialNoticedAt), UpdatedAt: u.UpdatedAt.UTC(), LastLoginAt: clock.UTC(u.LastLoginAt),
	}
}
