package marketintel

import (
	"context"
	_ "embed"
	"strings"
	"time"

	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/preference"
	"gpatlas/platform/database"
)

type store struct{ db *database.DB }

// bounds are the arrivals of a week.
type bounds struct{ Low, High int64 }

// The arrivals of a week: after low up to high. low is -1 if nothing was known before.
const boundsSQL = `SELECT coalesce(max(arrival) FILTER (WHERE known_at < @from), -1) AS low, coalesce(max(arrival) FILTER (WHERE known_at < @until), -1) AS high
FROM catalog.pub_arrival`

func (s *store) bounds(ctx context.Context, w week) (bounds, error) {
	rows, err := database.Select[bounds](ctx, s.db, "find the week's loads", boundsSQL, database.Args{"from": w.from, "until": w.until})
	if err != nil {
		return bounds{}, err
	}
	return rows[0], nil
}

//go:embed registrations.sql
var registrationsSQL string

//go:embed changes.sql
var changesSQL string

// Funds that a filing reported for the first time, and recently: an old fund was only loaded late. Closed funds are left out.
const launchesSQL = `SELECT adviser_crd AS crd, name, '/funds/' || fund_id AS path, strategy AS word, coalesce(gross_asset_value, -1) AS amount, 0::bigint AS before,
	first_filed_on AS day, count(*) OVER () AS total
FROM catalog.pub_fund
WHERE arrival > @low AND arrival <= @high AND first_filed_on >= @recent::date AND status <> 'closed'
ORDER BY gross_asset_value DESC NULLS LAST, name, fund_id LIMIT @most`

//go:embed closings.sql
var closingsSQL string

// read reads one table.
func (s *store) read(ctx context.Context, what, statement string, b bounds, recent time.Time) (list, error) {
	args := database.Args{"low": b.Low, "high": b.High, "recent": recent.Format(time.DateOnly), "most": most}
	rows, err := database.Select[row](ctx, s.db, "read "+what+" of a week", statement, args)
	if err != nil || len(rows) == 0 {
		return list{}, err
	}
	return list{rows, int(rows[0].Total)}, nil
}

// Accounts that get the mail of a week and have not got it, with numbers after one.
var readersSQL = strings.Replace(`SELECT a.id FROM accounts.pub_account a LEFT JOIN notifications.preferences p ON p.user_id = a.id
WHERE a.id > @after AND a.subscription_plan = 'enterprise' AND {{wants}}
	AND NOT EXISTS (SELECT 1 FROM notifications.queue q WHERE q.natural_key = 'market_intel:' || a.id || ':' || @week::text)
ORDER BY a.id LIMIT @limit`, "{{wants}}", preference.WantsSQL(kind.MarketIntel), 1)

func (s *store) readers(ctx context.Context, week string, after int64) ([]int64, error) {
	return database.Values[int64](ctx, s.db, "read who gets market intel", readersSQL, database.Args{"week": week, "after": after, "limit": batch})
}
