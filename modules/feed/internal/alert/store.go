package alert

import (
	"context"
	_ "embed"
	"encoding/json"
	"strings"
	"time"

	"gpatlas/platform/auth"
	"gpatlas/platform/database"
)

// store reads and writes alerts and matches.
type store struct{ db *database.DB }

//go:embed gather.sql
var gatherSQL string

// row is a row of feed.alerts with its saved search.
type row struct {
	SearchID             string
	UserID               int64
	Tells, Fields        []string
	Mail                 string
	Webhooks             []string
	State                string
	Why, Fault           *string
	Hash                 string
	Since, Mailed        int64
	CreatedAt, UpdatedAt time.Time
}

const findSQL = `SELECT a.* FROM feed.alerts a JOIN accounts.pub_saved_search s ON s.id = a.search_id AND s.user_id = a.user_id
WHERE a.user_id = @user AND (@id = '' OR a.search_id::text = @id) ORDER BY a.created_at, a.search_id`

// find returns an account's alerts, or the one of a saved search.
func (s *store) find(ctx context.Context, user int64, id string) ([]row, error) {
	return database.Select[row](ctx, s.db, "read alerts", findSQL, database.Args{"user": user, "id": id})
}

// saved is a saved search.
type saved struct {
	Filters map[string]any
	Hash    string
}

const searchSQL = "SELECT filters, hash FROM accounts.pub_saved_search WHERE user_id = @user AND id = @id"

// search finds a saved search; nil for none.
func (s *store) search(ctx context.Context, user int64, id string) (*saved, error) {
	list, err := database.Select[saved](ctx, s.db, "find a saved search", searchSQL, database.Args{"user": user, "id": id})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// account is what an account may have.
type account struct {
	Plan   string
	Active int // alerts
	Owned  int // of the endpoints that were named
}

const (
	lockSQL  = "SELECT 1 FROM accounts.pub_account WHERE id = @user FOR SHARE"
	queueSQL = "SELECT pg_advisory_xact_lock(hashtextextended('feed.alerts', @user))"
)

var planSQL = strings.ReplaceAll(`SELECT {{plan now}} AS plan,
	(SELECT count(*) FROM feed.alerts e JOIN accounts.pub_saved_search s ON s.id = e.search_id WHERE e.user_id = a.id AND e.state = 'active' AND e.search_id <> @id)::int AS active,
	(SELECT count(*) FROM feed.endpoints e WHERE e.user_id = a.id AND e.id = ANY (@webhooks::uuid[]))::int AS owned
FROM accounts.pub_account a WHERE a.id = @user`, "{{plan now}}", auth.PlanNowSQL)

// lock makes requests of an account one after another, and its deletion wait. ok is false if the account was deleted. Active leaves one alert out.
func (s *store) lock(ctx context.Context, user int64, id string, webhooks []string, now time.Time) (a account, ok bool, err error) {
	args := database.Args{"user": user, "now": now, "id": id, "webhooks": webhooks}
	held, err := database.Values[int](ctx, s.db, "lock the account of an alert", lockSQL, args)
	if err != nil || len(held) == 0 {
		return a, false, err
	}
	if _, err := database.Run(ctx, s.db, "lock the alerts of an account", queueSQL, args); err != nil {
		return a, false, err
	}
	list, err := database.Select[account](ctx, s.db, "count alerts of an account", planSQL, args)
	if err != nil || len(list) == 0 {
		return a, false, err
	}
	return list[0], true, nil
}

const putSQL = `INSERT INTO feed.alerts (search_id, user_id, tells, fields, mail, webhooks, state, hash, since, mailed, created_at, updated_at)
VALUES (@id, @user, @tells, @fields, @mail, @webhooks, 'active', @hash, @since, @mailed, @now, @now)
ON CONFLICT (search_id) DO UPDATE SET tells = excluded.tells, fields = excluded.fields, mail = excluded.mail, webhooks = excluded.webhooks, state = 'active',
	why = NULL, fault = NULL, hash = excluded.hash, since = excluded.since, mailed = excluded.mailed, updated_at = excluded.updated_at`

func (s *store) put(ctx context.Context, r *row, now time.Time) error {
	_, err := database.Run(ctx, s.db, "set an alert", putSQL, database.Args{
		"id": r.SearchID, "user": r.UserID, "tells": r.Tells, "fields": r.Fields, "mail": r.Mail, "webhooks": r.Webhooks, "hash": r.Hash, "since": r.Since, "mailed": r.Mailed, "now": now,
	})
	return err
}

const (
	removeSQL = "DELETE FROM feed.alerts WHERE user_id = @user AND (@id = '' OR search_id::text = @id)"
	orphanSQL = "DELETE FROM feed.alerts a WHERE NOT EXISTS (SELECT FROM accounts.pub_saved_search s WHERE s.id = a.search_id AND s.user_id = a.user_id)"
	agedSQL   = "WITH matched AS (DELETE FROM feed.matched WHERE at < @before) DELETE FROM feed.matches WHERE at < @before"
	editedSQL = `UPDATE feed.alerts a SET hash = s.hash, since = @since, mailed = @since
FROM accounts.pub_saved_search s WHERE s.id = a.search_id AND s.hash <> a.hash AND (@id = '' OR a.search_id::text = @id)`
	invalidSQL = `UPDATE feed.alerts a SET state = 'paused', why = 'filters', fault = @fault, updated_at = @now
FROM accounts.pub_saved_search s WHERE s.id = a.search_id AND a.hash = @hash AND a.state = 'active' RETURNING a.user_id, a.search_id, s.name`
)

var loweredSQL = strings.ReplaceAll(`UPDATE feed.alerts a SET state = 'paused', why = 'plan', updated_at = @now
FROM (
	SELECT p.search_id, {{plan now}} AS plan, row_number() OVER (PARTITION BY p.user_id ORDER BY p.created_at, p.search_id) AS rank
	FROM feed.alerts p JOIN accounts.pub_account a ON a.id = p.user_id WHERE p.state = 'active'
) r WHERE a.search_id = r.search_id AND a.state = 'active' AND r.rank > (@most::jsonb ->> r.plan)::int`, "{{plan now}}", auth.PlanNowSQL)

// remove removes one of the account's alerts, or all of them if id is "".
func (s *store) remove(ctx context.Context, user int64, id string) (int64, error) {
	return database.Run(ctx, s.db, "remove alerts", removeSQL, database.Args{"user": user, "id": id})
}

// edited lets alerts begin anew whose searches have other filters; id is "" for all.
func (s *store) edited(ctx context.Context, id string, since int64) error {
	_, err := database.Run(ctx, s.db, "begin edited alerts anew", editedSQL, database.Args{"id": id, "since": since})
	return err
}

// paused is an alert that was paused because of its filters.
type paused struct {
	UserID         int64
	SearchID, Name string
}

func (s *store) invalid(ctx context.Context, hash, fault string, now time.Time) ([]paused, error) {
	return database.Select[paused](ctx, s.db, "pause alerts of invalid filters", invalidSQL, database.Args{"hash": hash, "fault": fault, "now": now})
}

// set is filters that are watched, by any number of alerts.
type set struct {
	Hash    string
	Filters string
	Changed bool // some alert is about changed fields
}

const setsSQL = `SELECT a.hash, min(s.filters::text) AS filters, bool_or('changed' = ANY (a.tells)) AS changed
FROM feed.alerts a JOIN accounts.pub_account u ON u.id = a.user_id JOIN accounts.pub_saved_search s ON s.id = a.search_id AND s.hash = a.hash
WHERE a.state = 'active' GROUP BY a.hash ORDER BY a.hash`

func (s *store) sets(ctx context.Context) ([]set, error) {
	return database.Select[set](ctx, s.db, "read watched filters", setsSQL, nil)
}

// match is a row of feed.matches without what all of a comparison have.
type match struct {
	Hash      string   `json:"hash"`
	Entered   []string `json:"entered"`
	Gone      []string `json:"gone"`
	Changed   []string `json:"changed"`
	Truncated bool     `json:"truncated"`
}

// matched is a row of feed.matched.
type matched struct {
	CRD    string   `json:"crd"`
	Name   string   `json:"name"`
	Fields []string `json:"fields"`
}

const (
	matchesSQL = `INSERT INTO feed.matches AS m (hash, arrival, entered, gone, changed, truncated, at, known_at)
SELECT hash, @arrival, coalesce(entered, '{}'), coalesce(gone, '{}'), coalesce(changed, '{}'), truncated, @now, @known
FROM jsonb_to_recordset(@rows::jsonb) AS r(hash text, entered text[], gone text[], changed text[], truncated boolean)
ON CONFLICT (hash, arrival) DO UPDATE SET entered = m.entered || excluded.entered, gone = m.gone || excluded.gone, changed = m.changed || excluded.changed,
	truncated = m.truncated OR excluded.truncated`
	matchedSQL = `INSERT INTO feed.matched (arrival, crd, name, fields, at)
SELECT @arrival, crd, name, coalesce(fields, '{}'), @now FROM jsonb_to_recordset(@rows::jsonb) AS r(crd text, name text, fields text[])`
)

// add stores matches with matchesSQL, or managers with matchedSQL.
func (s *store) add(ctx context.Context, statement string, rows any, arrival int64, known, now time.Time) error {
	encoded, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	_, err = database.Run(ctx, s.db, "keep matches", statement, database.Args{"rows": string(encoded), "arrival": arrival, "known": known, "now": now})
	return err
}

// stored is a row of feed.news.
type stored struct {
	Arrival   int64
	CRD       string `db:"crd"`
	Name      string
	What      string
	Fields    []string
	At        time.Time
	KnownAt   time.Time
	Truncated bool
}

const newsSQL = `SELECT arrival, crd, name, what, fields, at, known_at, truncated FROM feed.news
WHERE hash = @hash AND arrival > @since AND arrival >= @arrival AND (arrival, crd) > (@arrival, @crd) AND what = ANY (@what)
	AND (what <> 'changed' OR cardinality(@fields::text[]) = 0 OR fields && @fields)
ORDER BY arrival, crd LIMIT @limit`

func (s *store) news(ctx context.Context, r *row, from cursor, what []string, limit int) ([]stored, error) {
	return database.Select[stored](ctx, s.db, "read news", newsSQL, database.Args{
		"hash": r.Hash, "since": r.Since, "arrival": from.arrival, "crd": from.crd, "what": what, "fields": r.Fields, "limit": limit,
	})
}

// told is one of the news of an alert, with how many there are.
type told struct {
	UserID      int64
	SearchID    string
	Name        string
	Webhooks    []string
	CRD         string `db:"crd"`
	GPName      string `db:"gp_name"`
	What        string
	Fields      []string
	At, KnownAt time.Time
	Truncated   bool
	Total       int64
}

// whose selects news of alerts: of one load for webhooks, or of all since the last mail.
type whose struct {
	hooks   bool
	arrival int64
	modes   []string
	most    int
}

func (w whose) args() database.Args {
	return database.Args{"hooks": w.hooks, "arrival": w.arrival, "modes": append([]string{}, w.modes...), "most": w.most}
}

const (
	batch    = 500 // accounts whose news are read at once
	usersSQL = `SELECT DISTINCT user_id FROM feed.alerts
WHERE state = 'active' AND user_id > @after AND (@hooks AND cardinality(webhooks) > 0 OR NOT @hooks AND mail = ANY (@modes)) ORDER BY user_id LIMIT @batch`
	mailedSQL = `UPDATE feed.alerts SET mailed = (SELECT coalesce(max(arrival), 0) FROM feed.matched)
WHERE state = 'active' AND user_id = ANY (@users) AND mail = ANY (@modes)`
)

// each calls fn with the news of some accounts' alerts at a time, in the order of accounts and alerts.
func (s *store) each(ctx context.Context, w whose, fn func(users []int64, list []told) error) error {
	for after := int64(0); ; {
		args := w.args()
		args["after"], args["batch"] = after, batch
		users, err := database.Values[int64](ctx, s.db, "read accounts with alerts", usersSQL, args)
		if err != nil || len(users) == 0 {
			return err
		}
		args = w.args()
		args["users"] = users
		list, err := database.Select[told](ctx, s.db, "gather news", gatherSQL, args)
		if err != nil {
			return err
		}
		if err := fn(users, list); err != nil {
			return err
		}
		after = users[len(users)-1]
	}
}

func (s *store) mailed(ctx context.Context, users []int64, modes []string) error {
	_, err := database.Run(ctx, s.db, "note mails of alerts", mailedSQL, database.Args{"users": users, "modes": modes})
	return err
}

const messagesSQL = `INSERT INTO feed.messages (endpoint_id, id, seq_low, seq_high, kind, events, state, next_at, created_at, body)
SELECT e.id, u.id, @arrival, @arrival, @kind, u.events, 'waiting', @now, @now, u.body
FROM unnest(@endpoints::uuid[], @owners::bigint[], @ids::text[], @events::bigint[], @bodies::text[]) AS u(endpoint, owner, id, events, body)
JOIN feed.endpoints e ON e.id = u.endpoint AND e.user_id = u.owner WHERE e.state <> 'disabled' ON CONFLICT DO NOTHING`
