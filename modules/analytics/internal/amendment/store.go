package amendment

import (
	"context"

	"gpatlas/platform/database"
)

// store reads the catalogue's published views.
type store struct {
	db *database.DB
}

// once keeps each filing once. A row of a roster, the feed of firms or a list of funds is evidence of a filing of its day:
// only the best evidence of a day is kept, and none beside the filing itself. A Form ADV-W is a filing of its own.
//
// Spec: not shown; /filings lists all evidence as it was read. Here a filing is an amendment, of which there was one.
const once = `SELECT * FROM (
		SELECT *, max(weight) OVER (PARTITION BY crd, filing_date) AS best FROM (
			SELECT *, array_position(ARRAY['fund_list', 'roster', 'iapd_feed', 'adv_archive'], source) AS weight FROM evidence
		) weighed
	) known WHERE weight IS NULL OR weight = best`

// notices are the columns of a Form D notice as those of filings.
//
// Spec: not shown; a notice of Form D is initial, its amendment (D/A) material, as in the list of filings. EDGAR's data sets
// give the day of filing and no time: midnight UTC.
const notices = `SELECT DISTINCT accession, form_type, CASE form_type WHEN 'D' THEN 'initial' ELSE 'material' END AS amendment_type,
		filing_date, filing_date::timestamp AT TIME ZONE 'UTC' AS submitted_at, status, processed_at, 'form_d' AS source
	FROM catalog.pub_offering`

// newest orders filings and counts them.
const newest = `SELECT *, count(*) OVER () AS total FROM listed
	ORDER BY filing_date DESC, submitted_at DESC, accession COLLATE "C" DESC LIMIT ?`

// ofAdviser is the filings of an adviser and the notices that are joined to its funds, each once however many of them it is
// of.
const ofAdviser = `WITH evidence AS (SELECT * FROM catalog.pub_filing WHERE crd = ?),
	filed AS (` + once + `),
	listed AS (
		SELECT accession, form_type, amendment_type, filing_date, submitted_at, status, processed_at, source FROM filed
		UNION ALL ` + notices + ` WHERE adviser_crd = ?
	) ` + newest

// ofFund is the filings that report a fund, whoever filed them, and the notices that are joined to it.
//
// Spec: not shown; what an amendment is to a fund. The first filing that reports it is initial, though it may be an amendment
// of its adviser's; the others are what they are to their adviser.
const ofFund = `WITH evidence AS (SELECT * FROM catalog.pub_fund_filing WHERE fund_id = ?),
	filed AS (` + once + `),
	listed AS (
		SELECT accession, form_type,
			CASE row_number() OVER (ORDER BY filing_date, submitted_at, accession COLLATE "C") WHEN 1 THEN 'initial' ELSE amendment_type END
				AS amendment_type,
			filing_date, submitted_at, status, processed_at, source
		FROM filed
		UNION ALL ` + notices + ` WHERE fund_id = ?
	) ` + newest

// knows says whether there is an adviser.
func (s *store) knows(ctx context.Context, crd string) (known bool, err error) {
	err = s.db.From(ctx).Raw("SELECT EXISTS (SELECT 1 FROM catalog.pub_gp WHERE crd = ?)", crd).Scan(&known).Error
	return known, database.Failure("look for an adviser", err)
}

// list reads the newest filings of an adviser or of a fund.
func (s *store) list(ctx context.Context, query, key string, limit int) (rows []row, err error) {
	err = s.db.From(ctx).Raw(query, key, key, limit).Scan(&rows).Error
	return rows, database.Failure("read amendments", err)
}
