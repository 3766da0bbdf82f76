package history

import (
	"context"
	"slices"
	"time"

	"gpatlas/platform/database"
)

// withdrawn is the day of the newest full withdrawal (Form ADV-W) up to a day, or nil when there is none or a version is
// of that day or later.
func (s *Store) withdrawn(ctx context.Context, crd string, day time.Time, versions []AdviserVersion) (*time.Time, error) {
	var days []time.Time
	err := s.db.From(ctx).Raw(`SELECT f.filing_date FROM catalog.withdrawals w JOIN catalog.filings f USING (accession)
		WHERE w.crd = ? AND w.is_full AND f.filing_date <= ? ORDER BY f.filing_date DESC LIMIT 1`,
		crd, day.Format(time.DateOnly)).Scan(&days).Error
	if err != nil {
		return nil, database.Failure("read an adviser's withdrawals", err)
	}
	if len(days) == 0 || slices.ContainsFunc(versions, func(v AdviserVersion) bool { return !v.FilingDate.Before(days[0]) }) {
		return nil, nil //nolint:nilnil // it goes on
	}
	return &days[0], nil
}
