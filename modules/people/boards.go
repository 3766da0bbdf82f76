package people

import (
	"context"
	"log/slog"

	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// LoadBoards applies recorded listings of job boards as if they had been fetched, without the network. The files are named
// CRD.VENDOR.TOKEN.json and have the vendor's own format; the advisers must be in the catalog. CRD.VENDOR.TOKEN.2026-10-01.json
// was recorded on that day (noon, UTC), so that several files of one board give it a history: gaps of up to 14 days count as
// continuous observation. Boards that are only loaded are never fetched. Loading dated files again changes nothing. The
// result is the number of open postings.
func LoadBoards(ctx context.Context, db *database.DB, clk clock.Clock, paths []string) (open int, err error) {
	boards, err := newHiring(db, clk, slog.New(slog.DiscardHandler)).Load(ctx, paths)
	for _, n := range boards {
		open += n
	}
	return open, err
}
