package activity

import (
	"context"
	"time"

	"gpatlas/platform/database"
)

// store reads the feed.
type store struct{ db *database.DB }

// happened is a row of the feed; of an empty page there is one without a type, for the total.
type happened struct {
	Total       int
	Type        *string
	CRD         string `gorm:"column:crd"`
	GPName      string `gorm:"column:gp_name"`
	EventDate   time.Time
	FormType    string
	Key         string // the filing's accession number, or the Fund ID
	Day         string
	ProcessedAt *time.Time
	FundName    string
}

// feed lists the events since an instant, the newest first. Types, CRDs and keys make the order total.
//
// Spec: new_filing is a filing of ADV, ADV/A or D. So an amendment of a notice (D/A) and a withdrawal (ADV-W) are none, and
// rows of rosters, of the feed of firms and of lists of funds are evidence of a filing, not the filing. A notice belongs to
// the advisers of the funds that it is joined to. Filings are there when they are processed, that is completed.
const feed = `
WITH watched AS (SELECT adviser_crd AS crd FROM accounts.watchlist_items WHERE user_id = @user),
	since AS (SELECT CAST(@since AS timestamptz) AS instant),
	events AS MATERIALIZED (
		SELECT 'new_filing' AS type, f.crd, f.submitted_at AS event_date, f.form_type, f.accession AS key, f.filing_date AS day,
			f.processed_at, '' AS fund_name
		FROM watched JOIN catalog.pub_filing f USING (crd)
		WHERE CAST(@filings AS boolean) AND f.source = 'adv_archive' AND f.form_type IN ('ADV', 'ADV/A') AND f.status = 'completed'
			AND f.submitted_at >= (SELECT instant FROM since)
		UNION ALL
		SELECT DISTINCT 'new_filing', w.crd, o.filing_date::timestamp AT TIME ZONE 'UTC', o.form_type, o.accession, o.filing_date,
			o.processed_at, ''
		FROM watched w JOIN catalog.pub_offering o ON o.adviser_crd = w.crd
		WHERE CAST(@filings AS boolean) AND o.form_type = 'D' AND o.status = 'completed'
			AND o.filing_date::timestamp AT TIME ZONE 'UTC' >= (SELECT instant FROM since)
		UNION ALL
		SELECT 'new_fund', w.crd, f.first_filed_on::timestamp AT TIME ZONE 'UTC', '', f.fund_id, f.first_filed_on, NULL, f.name
		FROM watched w JOIN catalog.pub_fund f ON f.adviser_crd = w.crd
		WHERE CAST(@funds AS boolean) AND f.first_filed_on::timestamp AT TIME ZONE 'UTC' >= (SELECT instant FROM since)
	),
	part AS (
		SELECT * FROM events ORDER BY event_date DESC, type, crd COLLATE "C", key COLLATE "C" LIMIT @limit OFFSET @offset
	)
SELECT (SELECT count(*) FROM events) AS total, p.type, p.crd, coalesce(g.legal_name, '') AS gp_name, p.event_date, p.form_type, p.key,
	to_char(p.day, 'YYYY-MM-DD') AS day, p.processed_at, p.fund_name
FROM (SELECT) one LEFT JOIN part p ON true LEFT JOIN catalog.pub_gp g ON g.crd = p.crd
ORDER BY p.event_date DESC, p.type, p.crd COLLATE "C", p.key COLLATE "C"`

// question is what is asked of the feed.
type question struct {
	user          int64
	types         map[Type]bool
	since         time.Time
	limit, offset int
}

// events gives a part of the feed, and how many events there are in all.
func (s *store) events(ctx context.Context, q question) ([]Event, int, error) {
	var rows []happened
	err := s.db.From(ctx).Raw(feed, map[string]any{
		"user": q.user, "since": q.since, "filings": q.types[NewFiling], "funds": q.types[NewFund], "limit": q.limit, "offset": q.offset,
	}).Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return nil, 0, database.Failure("read the activity feed", err)
	}
	events := make([]Event, 0, len(rows))
	for i := range rows {
		if rows[i].Type != nil {
			events = append(events, rows[i].event())
		}
	}
	return events, rows[0].Total, nil
}

func (h *happened) event() Event {
	e := Event{Type: Type(*h.Type), CRD: h.CRD, GPName: h.GPName, EventDate: h.EventDate.UTC()}
	if e.Type == NewFund {
		e.Details = Details{FundName: h.FundName, FundID: h.Key}
		return e
	}
	e.Details = Details{FormType: h.FormType, AccessionNumber: h.Key, FilingDate: h.Day}
	if h.ProcessedAt != nil {
		at := h.ProcessedAt.UTC()
		e.Details.ProcessedAt = &at
	}
	return e
}
