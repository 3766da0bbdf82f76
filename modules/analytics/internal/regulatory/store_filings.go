package regulatory

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gpatlas/platform/database"
)

// filingsOf are the whole filings of an adviser in the order in which they were made.
//
// Only an archive's filing is the whole form: a roster, the feed of firms and a list of funds have no disclosure pages,
// so that a page's absence there says nothing.
func (s *Store) filingsOf(ctx context.Context, crd string) ([]filing, error) {
	var rows []struct {
		Accession  string
		FilingDate time.Time
	}
	err := s.db.From(ctx).Raw(`SELECT accession, filing_date FROM catalog.pub_filing
		WHERE crd = ? AND source = 'adv_archive' AND status = 'completed'
		ORDER BY filing_date, submitted_at, length(accession), accession COLLATE "C"`, crd).Scan(&rows).Error
	if err != nil {
		return nil, database.Failure("read filings", err)
	}
	list := make([]filing, len(rows))
	for i, r := range rows {
		list[i] = filing{Accession: r.Accession, Date: r.FilingDate}
	}
	return list, nil
}

// mentionsOf are all disclosure pages of an adviser's filings, without their texts: large groups repeat hundreds of pages
// in each of a hundred filings.
func (s *Store) mentionsOf(ctx context.Context, crd string) ([]mention, error) {
	var list []mention
	err := s.db.From(ctx).Raw(`SELECT accession, seq, family, coalesce(reference_id, '') AS reference_id,
			coalesce(case_number, '') AS case_number, coalesce(court, initiated_by, '') AS initiator,
			coalesce(to_char(event_date, 'YYYY-MM-DD'), '') AS event_date,
			CASE WHEN reference_id IS NULL AND case_number IS NULL AND event_date IS NULL THEN md5(lower(coalesce(allegations, summary, ''))) ELSE '' END AS text_key
		FROM catalog.pub_disclosure WHERE crd = ?`, crd).Scan(&list).Error
	return list, database.Failure("read disclosures", err)
}

// pagesOf reads the pages at some places in full.
func (s *Store) pagesOf(ctx context.Context, shown []place) (map[place]page, error) {
	text, err := json.Marshal(shown)
	if err != nil {
		return nil, fmt.Errorf("encode the places of pages: %w", err)
	}
	var rows []page
	err = s.db.From(ctx).Raw(`SELECT d.accession, d.seq, d.family, d.reference_id, to_json(d.items) AS items, d.filed_against, d.initiated_by,
			d.initiator_type, d.court, d.case_number, d.event_date, d.product, d.allegations, d.felony, d.status, d.resolution,
			d.resolution_date, to_json(d.sanctions) AS sanctions, d.monetary_amount, d.sanction_detail, d.summary
		FROM jsonb_to_recordset(?::jsonb) AS k(accession text, seq int) JOIN catalog.pub_disclosure d USING (accession, seq)`,
		string(text)).Scan(&rows).Error
	if err != nil {
		return nil, database.Failure("read disclosure pages", err)
	}
	pages := make(map[place]page, len(rows))
	for _, p := range rows {
		pages[place{p.Accession, p.Seq}] = p
	}
	return pages, nil
}

// affiliatesIn are the advisory affiliates that some filings name, in the filings' order.
func (s *Store) affiliatesIn(ctx context.Context, accessions []string) ([]affiliateRow, error) {
	var rows []affiliateRow
	err := s.db.From(ctx).Where("accession IN ?", accessions).Order("accession, seq").Find(&rows).Error
	return rows, database.Failure("read the affiliates of disclosures", err)
}

// editionOf names the state of an adviser's filings: the newest, how many there are, and when one of them was last read
// or restated. Empty when there are none.
func (s *Store) editionOf(ctx context.Context, crd string) (string, error) {
	var row struct {
		Newest      string
		Filings     int
		ProcessedAt *time.Time
	}
	err := s.db.From(ctx).Raw(`SELECT count(*) AS filings, max(processed_at) AS processed_at,
			coalesce((array_agg(accession ORDER BY filing_date DESC, submitted_at DESC, length(accession) DESC,
				accession COLLATE "C" DESC))[1], '') AS newest
		FROM catalog.pub_filing WHERE crd = ?`, crd).Scan(&row).Error
	if err != nil || row.ProcessedAt == nil {
		return "", database.Failure("read the state of filings", err)
	}
	return fmt.Sprintf("%s of %d, %s", row.Newest, row.Filings, row.ProcessedAt.UTC().Format(time.RFC3339Nano)), nil
}
