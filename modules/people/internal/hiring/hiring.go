// Package hiring answers which positions an adviser has open, from the public job boards that an operator has configured.
//
// A board is read once a day. A posting is known from the first listing that has it (first_seen) to the first that lacks it. A
// listing replaces the earlier state in one transaction, and a failed one changes nothing.
package hiring

import (
	"log/slog"
	"time"

	"gpatlas/modules/people/internal/board"
	"gpatlas/platform/audit"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

const (
	// freshFor is a day less half an hour: otherwise an hourly job would come a moment too early each time, and read boards
	// every 25 hours.
	freshFor = 24*time.Hour - 30*time.Minute
	// leaseFor is longer than reading any board takes. A board whose reader stopped is left to the next run.
	leaseFor = 15 * time.Minute
	// gapMax is the longest time without a listing across which openings are still counted. After a longer gap too many may
	// have been missed.
	gapMax = 14 * 24 * time.Hour
	// doubtFor is how long a doubtful listing (see doubtful) must repeat itself.
	doubtFor = 50 * time.Minute
	// doubtFrom is how many open postings a board must have for the loss of most of them to be doubtful. The loss of all is
	// always doubtful.
	doubtFrom = 10
	// window is the time over which openings are counted.
	window = 30 * 24 * time.Hour
	// keptFor is how long closed postings are stored.
	keptFor = 365 * 24 * time.Hour
)

// Service reads boards, and answers from what it has read. It is safe for concurrent use.
type Service struct {
	db     *database.DB
	store  *Store
	client *board.Client
	boards []board.Board
	audit  *audit.Log
	clock  clock.Clock
	log    *slog.Logger
}

// NewService fetches through client. set are the boards of the setting, in addition to those in the database.
func NewService(db *database.DB, client *board.Client, boards []board.Board, clk clock.Clock, log *slog.Logger) *Service {
	return &Service{db: db, store: NewStore(db), client: client, boards: boards, audit: audit.New(db, clk), clock: clk, log: log}
}
