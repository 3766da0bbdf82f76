package activity

import (
	"context"
	"slices"
	"time"

	"gpatlas/platform/database"
)

// store reads the feed.
type store struct{ db *database.DB }

// happened is a row of the feed; of an empty page there is one without a type, for the numbers.
type happened struct {
	Total       int
	Low         int64
	High        int64
	Arrival     int64
	Type        *string
	CRD         string `gorm:"column:crd"`
	GPName      string `gorm:"column:gp_name"`
	EventDate   time.Time
	KnownAt     time.Time
	FormType    string
	Key         string // the filing's accession number, or the Fund ID
	Day         string
	ProcessedAt *time.Time
	FundName    string
}

// feed lists the events that arrived after one load up to another, the newest first. Types, CRDs and keys make the order
// total. It is one statement, so that the newest load and the events are of one moment.
//
// Spec: new_filing is a filing of ADV, ADV/A or Form D, amendments (D/A) among them. So a withdrawal (ADV-W) is none, and
// rows of rosters, of the feed of firms and of lists of funds are evidence of a filing, not the filing. A notice belongs to
// the advisers of the funds that it is joined to, and arrives for them when it is joined. Filings are there when they are
// processed, that is completed.
const feed = `
WITH watched AS (SELECT adviser_crd AS crd FROM accounts.watchlist_items WHERE user_id = @user),
	bounds AS (
		SELECT CASE WHEN CAST(@low AS bigint) >= -1 THEN CAST(@low AS bigint)
				ELSE coalesce((SELECT max(arrival) FROM catalog.pub_arrival WHERE known_at < CAST(@since AS timestamptz)), -1) END AS low,
			CASE WHEN CAST(@high AS bigint) > 0 THEN CAST(@high AS bigint)
				ELSE coalesce((SELECT max(arrival) FROM catalog.pub_arrival), 0) END AS high
	),
	happened AS (
		SELECT 'new_filing' AS type, f.crd, f.submitted_at AS event_date, f.form_type, f.accession AS key, f.filing_date AS day,
			f.processed_at, '' AS fund_name, f.arrival
		FROM watched JOIN catalog.pub_filing f USING (crd)
		WHERE CAST(@filings AS boolean) AND f.source = 'adv_archive' AND f.form_type IN ('ADV', 'ADV/A') AND f.status = 'completed'
		UNION ALL
		SELECT 'new_filing', w.crd, o.filing_date::timestamp AT TIME ZONE 'UTC', o.form_type, o.accession, o.filing_date,
			o.processed_at, '', min(o.arrival)
		FROM watched w JOIN catalog.pub_offering o ON o.adviser_crd = w.crd
		WHERE CAST(@filings AS boolean) AND o.status = 'completed'
		GROUP BY w.crd, o.filing_date, o.form_type, o.accession, o.processed_at
		UNION ALL
		SELECT 'new_fund', w.crd, f.first_filed_on::timestamp AT TIME ZONE 'UTC', '', f.fund_id, f.first_filed_on, NULL, f.name, f.arrival
		FROM watched w JOIN catalog.pub_fund f ON f.adviser_crd = w.crd
		WHERE CAST(@funds AS boolean)
	),
	events AS MATERIALIZED (
		SELECT h.* FROM happened h, bounds b
		WHERE h.arrival > b.low AND h.arrival <= b.high AND (CAST(@place AS bigint) = 0 OR h.arrival < CAST(@place AS bigint)
			OR h.arrival = CAST(@place AS bigint) AND (h.event_date < CAST(@date AS timestamptz) OR h.event_date = CAST(@date AS timestamptz)
				AND (h.type, h.crd COLLATE "C", h.key COLLATE "C") > (CAST(@type AS text), CAST(@crd AS text), CAST(@key AS text))))
	),
	part AS (
		SELECT * FROM events ORDER BY arrival DESC, event_date DESC, type, crd COLLATE "C", key COLLATE "C" LIMIT @limit OFFSET @offset
	)
SELECT (SELECT count(*) FROM events) AS total, b.low, b.high, p.arrival, p.type, p.crd, coalesce(g.legal_name, '') AS gp_name, p.event_date,
	coalesce(a.known_at, p.processed_at, p.event_date) AS known_at, p.form_type, p.key, to_char(p.day, 'YYYY-MM-DD') AS day, p.processed_at, p.fund_name
FROM bounds b LEFT JOIN part p ON true LEFT JOIN catalog.pub_gp g ON g.crd = p.crd LEFT JOIN catalog.pub_arrival a ON a.arrival = p.arrival
ORDER BY p.arrival DESC, p.event_date DESC, p.type, p.crd COLLATE "C", p.key COLLATE "C"`

// question is what is asked of the feed: since an instant, or on from a cursor.
type question struct {
	user          int64
	types         []Type
	since         time.Time
	cursor        *cursor
	limit, offset int
}

// answered is a part of the feed.
type answered struct {
	events []Event
	total  int    // from the cursor on; without one, since the instant
	more   bool   // events older than these, of the same walk, are left
	next   cursor // goes on after these
}

func (q *question) wants(t Type) bool { return slices.Contains(q.types, t) }

// events gives a part of the feed.
func (s *store) events(ctx context.Context, q question) (a answered, err error) {
	args := map[string]any{
		"user": q.user, "since": q.since, "filings": q.wants(NewFiling), "funds": q.wants(NewFund), "limit": q.limit, "offset": q.offset,
		"low": int64(-2), "high": int64(0), "place": int64(0), "date": time.Unix(0, 0).UTC(), "type": "", "crd": "", "key": "",
	}
	if c := q.cursor; c != nil {
		args["low"], args["high"] = c.Low, c.High
		if p := c.Place; p != nil {
			args["place"], args["date"], args["type"], args["crd"], args["key"] = p.Arrival, p.EventDate, string(p.Type), p.CRD, p.Key
		}
	}
	var rows []happened
	err = s.db.From(ctx).Raw(feed, args).Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return a, database.Failure("read the activity feed", err)
	}
	a.events = make([]Event, 0, len(rows))
	for i := range rows {
		if rows[i].Type != nil {
			a.events = append(a.events, rows[i].event())
		}
	}
	last := &rows[len(rows)-1]
	a.total = last.Total
	a.next = cursor{Low: max(last.High, last.Low), Types: q.types}
	if a.more = q.offset+len(a.events) < a.total && len(a.events) > 0; a.more {
		a.next = cursor{Low: last.Low, High: last.High, Types: q.types, Place: &place{
			Arrival: last.Arrival, EventDate: last.EventDate.UTC(), Type: Type(*last.Type), CRD: last.CRD, Key: last.Key,
		}}
	}
	return a, nil
}

func (h *happened) event() Event {
	e := Event{Type: Type(*h.Type), CRD: h.CRD, GPName: h.GPName, EventDate: h.EventDate.UTC(), KnownAt: h.KnownAt.UTC()}
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
