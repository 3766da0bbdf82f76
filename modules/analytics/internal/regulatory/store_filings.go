package regulatory

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"gpatlas/platform/database"
)

//go:embed filings.sql
var filingsSQL string

// filingsOf are the whole filings of an adviser in the order in which they were made.
//
// Only an archive's filing is the whole form: a roster, the feed of firms and a list of funds have no disclosure pages,
// so that a page's absence there says nothing.
func (s *Store) filingsOf(ctx context.Context, crd string) ([]filing, error) {
	return database.Select[filing](ctx, s.db, "read filings", filingsSQL, database.Args{"crd": crd})
}

//go:embed mentions.sql
var mentionsSQL string

// mentionsOf are all disclosure pages of an adviser's filings, without their texts: large groups repeat hundreds of pages
// in each of a hundred filings.
func (s *Store) mentionsOf(ctx context.Context, crd string) ([]mention, error) {
	return database.Select[mention](ctx, s.db, "read disclosures", mentionsSQL, database.Args{"crd": crd})
}

//go:embed pages.sql
var pagesSQL string

// pagesOf reads the pages at some places in full.
func (s *Store) pagesOf(ctx context.Context, shown []place) (map[place]page, error) {
	rows, err := database.Select[page](ctx, s.db, "read disclosure pages", pagesSQL, database.Args{"places": shown})
	if err != nil {
		return nil, err
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

//go:embed edition.sql
var editionSQL string

// editionOf names the state of an adviser's filings: the newest, how many there are, and when one of them was last read
// or restated. Empty when there are none.
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
