package regulatory

import (
	"context"
	"fmt"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/database"
)

const filingsSQL = `SELECT accession, filing_date AS date, silent FROM catalog.pub_filing
WHERE crd = @crd AND source = 'adv_archive'
ORDER BY version_order`

// filingsOf are the whole filings of an adviser in the order in which they were made.
//
// Only an archive's filing is the whole form: rosters, feeds and lists of funds have no disclosure pages, so a missing page
// there means nothing.
func (s *Store) filingsOf(ctx context.Context, crd string) ([]catalogapi.DisclosureFiling, error) {
	return database.Select[catalogapi.DisclosureFiling](ctx, s.db, "read filings", filingsSQL, database.Args{"crd": crd})
}

const mentionsSQL = `SELECT accession, seq, family, coalesce(reference_id, '') AS reference_id, coalesce(case_number, '') AS case_number,
	initiator, coalesce(to_char(event_date, 'YYYY-MM-DD'), '') AS event_date, text_key
FROM catalog.pub_disclosure WHERE crd = @crd`

// mentionsOf are all disclosure pages of an adviser's filings, without their texts: large groups repeat hundreds of pages
// in each of a hundred filings.
func (s *Store) mentionsOf(ctx context.Context, crd string) ([]catalogapi.DisclosureMention, error) {
	return database.Select[catalogapi.DisclosureMention](ctx, s.db, "read disclosures", mentionsSQL, database.Args{"crd": crd})
}

const pagesSQL = `SELECT d.accession, d.seq, d.family, d.reference_id, d.items, d.filed_against, d.initiated_by, d.initiator_type, d.court,
	d.case_number, d.event_date, d.product, d.allegations, d.felony, d.status, d.resolution, d.resolution_date, d.sanctions,
	d.monetary_amount, d.sanction_detail, d.summary
FROM jsonb_to_recordset(@places::jsonb) AS k(accession text, seq int) JOIN catalog.pub_disclosure d USING (accession, seq)`

// pagesOf reads the pages at some places in full.
func (s *Store) pagesOf(ctx context.Context, shown []catalogapi.DisclosurePlace) (map[catalogapi.DisclosurePlace]page, error) {
	rows, err := database.Select[page](ctx, s.db, "read disclosure pages", pagesSQL, database.Args{"places": shown})
	if err != nil {
		return nil, err
	}
	pages := make(map[catalogapi.DisclosurePlace]page, len(rows))
	for _, p := range rows {
		pages[catalogapi.DisclosurePlace{Accession: p.Accession, Seq: p.Seq}] = p
	}
	return pages, nil
}

// affiliatesIn are the advisory affiliates that some filings name, in the filings' order.
func (s *Store) affiliatesIn(ctx context.Context, accessions []string) ([]affiliateRow, error) {
	var rows []affiliateRow
	err := s.db.From(ctx).Where("accession IN ?", accessions).Order("accession, seq").Find(&rows).Error
	return rows, database.Failure("read the affiliates of disclosures", err)
}

const editionSQL = `SELECT count(*) AS filings, max(processed_at) AS processed_at,
	coalesce((array_agg(accession ORDER BY version_order DESC))[1], '') AS newest
FROM catalog.pub_filing WHERE crd = @crd`

// editionOf identifies the state of an adviser's filings: the newest, how many there are, and when one of them was last read or
// restated. Empty if there are none.
func (s *Store) editionOf(ctx context.Context, crd string) (string, error) {
	type state struct {
		Newest      string
		Filings     int
		ProcessedAt *time.Time
	}
	list, err := database.Select[state](ctx, s.db, "read the state of filings", editionSQL, database.Args{"crd": crd})
	if err != nil || list[0].ProcessedAt == nil {
		return "", err
	}
	return fmt.Sprintf("%s of %d, %s", list[0].Newest, list[0].Filings, list[0].ProcessedAt.UTC().Format(time.RFC3339Nano)), nil
}
