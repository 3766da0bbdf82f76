package webhook

import (
	"context"
	"strings"
	"time"

	"gpatlas/platform/auth"
	"gpatlas/platform/database"
)

// store reads and writes endpoints and messages. Each statement names the owner: another account's rows are not found.
type store struct{ db *database.DB }

// row is a row of feed.endpoints, with what waits for it.
type row struct {
	ID           string
	UserID       int64
	URL          string `db:"url"`
	Kinds        []string
	Scope        string
	CRDs         []string `db:"crds"`
	CollectionID *string
	Mode         string
	HeaderNames  []string
	Headers      []byte
	State        string
	Why          *string
	Position     int64
	FailingSince *time.Time
	Streak       int
	CreatedAt    time.Time
	UpdatedAt    time.Time
	Waiting      int64
}

// find returns an account's endpoints, the oldest first, or the one with an ID.
func (s *store) find(ctx context.Context, user int64, id string) ([]row, error) {
	return database.Select[row](ctx, s.db, "read webhook endpoints", findSQL, database.Args{"user": user, "id": id})
}

// account is what an account may have.
type account struct {
	Plan   string
	Active int // endpoints
}

const (
	lockSQL  = "SELECT 1 FROM accounts.pub_account WHERE id = @user FOR SHARE"
	queueSQL = "SELECT pg_advisory_xact_lock(hashtextextended('feed.endpoints', @user))"
)

var planSQL = strings.ReplaceAll(`SELECT {{plan now}} AS plan,
	(SELECT count(*) FROM feed.endpoints e WHERE e.user_id = a.id AND e.state = 'active' AND e.id::text <> @except)::int AS active
FROM accounts.pub_account a WHERE a.id = @user`, "{{plan now}}", auth.PlanNowSQL)

// lock makes additions to an account one after another, and its deletion wait. ok is false if the account was deleted. Active leaves
// one endpoint out.
func (s *store) lock(ctx context.Context, user int64, except string, now time.Time) (a account, ok bool, err error) {
	args := database.Args{"user": user, "now": now, "except": except}
	held, err := database.Values[int](ctx, s.db, "lock the account of a webhook", lockSQL, args)
	if err != nil || len(held) == 0 {
		return a, false, err
	}
	if _, err := database.Run(ctx, s.db, "lock the webhooks of an account", queueSQL, args); err != nil {
		return a, false, err
	}
	list, err := database.Select[account](ctx, s.db, "count webhooks of an account", planSQL, args)
	if err != nil || len(list) == 0 {
		return a, false, err
	}
	return list[0], true, nil
}

func (r *row) args() database.Args {
	return database.Args{
		"id": r.ID, "user": r.UserID, "url": r.URL, "kinds": r.Kinds, "scope": r.Scope, "crds": r.CRDs, "collection": r.CollectionID, "mode": r.Mode, "names": r.HeaderNames,
		"headers": r.Headers, "state": r.State, "why": r.Why, "position": r.Position, "since": r.FailingSince, "streak": r.Streak, "created": r.CreatedAt, "updated": r.UpdatedAt,
	}
}

func (s *store) add(ctx context.Context, r *row, sealed []byte) error {
	if _, err := database.Run(ctx, s.db, "add a webhook endpoint", addSQL, r.args()); err != nil {
		return err
	}
	return s.addSecret(ctx, r.ID, sealed)
}

func (s *store) change(ctx context.Context, r *row) error {
	_, err := database.Run(ctx, s.db, "change a webhook endpoint", changeSQL, r.args())
	return err
}

const addSecretSQL = "INSERT INTO feed.secrets (endpoint_id, sealed) VALUES (@id, @sealed)"

func (s *store) addSecret(ctx context.Context, id string, sealed []byte) error {
	_, err := database.Run(ctx, s.db, "add the secret of a webhook", addSecretSQL, database.Args{"id": id, "sealed": sealed})
	return err
}

const (
	expireSQL = `UPDATE feed.secrets SET expires_at = least(expires_at, @at) WHERE endpoint_id = @id AND (expires_at IS NULL OR expires_at > @at)`
	dropSQL   = `DELETE FROM feed.secrets WHERE endpoint_id = @id AND expires_at <= @now`
	liveSQL   = `SELECT sealed FROM feed.secrets WHERE endpoint_id = @id AND (expires_at IS NULL OR expires_at > @now) ORDER BY id DESC`
)

// expire lets an endpoint's secrets end at an instant, unless they end before, and drops those that have ended. It returns how many are left.
func (s *store) expire(ctx context.Context, id string, at, now time.Time) (int, error) {
	args := database.Args{"id": id, "at": at, "now": now}
	for _, statement := range []string{expireSQL, dropSQL} {
		if _, err := database.Run(ctx, s.db, "expire secrets of a webhook", statement, args); err != nil {
			return 0, err
		}
	}
	left, err := s.secrets(ctx, id, now)
	return len(left), err
}

// secrets returns the sealed secrets that sign, the newest first.
func (s *store) secrets(ctx context.Context, id string, now time.Time) ([][]byte, error) {
	return database.Values[[]byte](ctx, s.db, "read secrets of a webhook", liveSQL, database.Args{"id": id, "now": now})
}

const (
	rewindSQL = `UPDATE feed.endpoints SET position = @to WHERE id = @id AND user_id = @user AND position >= @to`
	removeSQL = `DELETE FROM feed.endpoints WHERE user_id = @user AND (@id = '' OR id::text = @id)`
)

// rewind sets an endpoint's position back; done is false if it has not come so far.
func (s *store) rewind(ctx context.Context, user int64, id string, to int64) (done bool, err error) {
	n, err := database.Run(ctx, s.db, "recover a webhook", rewindSQL, database.Args{"user": user, "id": id, "to": to})
	return n == 1, err
}

// remove removes one of the account's endpoints, or all of them if id is "".
func (s *store) remove(ctx context.Context, user int64, id string) (int64, error) {
	return database.Run(ctx, s.db, "remove webhook endpoints", removeSQL, database.Args{"user": user, "id": id})
}

// messageRow is a row of feed.messages.
type messageRow struct {
	ID        string
	SeqHigh   int64
	Kind      string
	Events    int64
	State     string
	Attempts  int
	NextAt    *time.Time
	CreatedAt time.Time
}

// messages returns messages of an endpoint, the newest first.
func (s *store) messages(ctx context.Context, endpoint, id, state, kind string, limit, offset int) ([]messageRow, error) {
	return database.Select[messageRow](ctx, s.db, "read webhook messages", messagesSQL, database.Args{
		"endpoint": endpoint, "id": id, "state": state, "kind": kind, "limit": limit, "offset": offset,
	})
}

const countSQL = `SELECT count(*)::int FROM feed.messages WHERE endpoint_id = @endpoint AND (@state = '' OR state = @state) AND (@kind = '' OR kind = @kind)`

func (s *store) count(ctx context.Context, endpoint, state, kind string) (int, error) {
	n, err := database.Values[int](ctx, s.db, "count webhook messages", countSQL, database.Args{"endpoint": endpoint, "state": state, "kind": kind})
	if err != nil {
		return 0, err
	}
	return n[0], nil
}

const attemptsSQL = `SELECT no, at, status::int AS status, ms, error, said FROM feed.attempts
WHERE endpoint_id = @endpoint AND message_id = @id ORDER BY no DESC LIMIT 100`

func (s *store) attempts(ctx context.Context, endpoint, id string) ([]Attempt, error) {
	list, err := database.Select[Attempt](ctx, s.db, "read attempts of a webhook message", attemptsSQL, database.Args{"endpoint": endpoint, "id": id})
	for i := range list {
		list[i].At = list[i].At.UTC()
	}
	return list, err
}

const resendSQL = `UPDATE feed.messages SET state = 'waiting', tries = 0, next_at = @now WHERE endpoint_id = @endpoint AND id = @id AND state <> 'sending'`

func (s *store) resend(ctx context.Context, endpoint, id string, now time.Time) error {
	_, err := database.Run(ctx, s.db, "send a webhook message again", resendSQL, database.Args{"endpoint": endpoint, "id": id, "now": now})
	return err
}

const findSQL = `SELECT e.id, e.user_id, e.url, e.kinds, e.scope, e.crds, e.collection_id, e.mode, e.header_names, e.headers, e.state, e.why, e.position, e.failing_since, e.streak, e.created_at, e.updated_at,
	(SELECT count(*) FROM feed.messages m WHERE m.endpoint_id = e.id AND m.state IN ('waiting', 'sending')) AS waiting
FROM feed.endpoints e
WHERE e.user_id = @user AND (@id = '' OR e.id::text = @id)
ORDER BY e.created_at, e.id`

const addSQL = `INSERT INTO feed.endpoints (id, user_id, url, kinds, scope, crds, collection_id, mode, header_names, headers, state, why, position, created_at, updated_at)
VALUES (@id, @user, @url, @kinds, @scope, @crds, @collection, @mode, @names, @headers, @state, @why, @position, @created, @updated)`

const changeSQL = `UPDATE feed.endpoints
SET url = @url, kinds = @kinds, scope = @scope, crds = @crds, collection_id = @collection, mode = @mode, header_names = @names, headers = @headers,
	state = @state, why = @why, failing_since = @since, streak = @streak, updated_at = @updated
WHERE id = @id AND user_id = @user`

const messagesSQL = `SELECT id, seq_high, kind, events, state, attempts, next_at, created_at
FROM feed.messages
WHERE endpoint_id = @endpoint AND (@id = '' OR id = @id) AND (@state = '' OR state = @state) AND (@kind = '' OR kind = @kind)
ORDER BY created_at DESC, seq_high DESC
LIMIT @limit OFFSET @offset`

const sweepSQL = `WITH messages AS (
	DELETE FROM feed.messages WHERE created_at < @before AND state IN ('done', 'failed')
), attempts AS (
	DELETE FROM feed.attempts WHERE at < @before
)
DELETE FROM feed.secrets WHERE expires_at <= @now`
