package catalogapi

import "time"

// Coverage counts the filings of one month and source, notices of Form D among them.
type Coverage struct {
	Month  time.Time // its first day
	Source Source
	Count  int64
}

// Freshness is how old the served data is, and what is in it.
type Freshness struct {
	Publication      int64      // number of the newest publication in it; 0 before the first
	BuiltAt          time.Time  // when it was made ready to serve; zero = nothing is served yet
	LatestFilingDate time.Time  // of all filings, notices of Form D too; zero when there is none
	Advisers         int        // advisers served
	Funds            int        // funds served that are not closed
	ClosedFunds      int        // closed funds served
	Coverage         []Coverage // by month, then source
}

// DataSource returns how old the served data is. It answers from memory, also while the database is unavailable.
type DataSource interface {
	Freshness() Freshness
}
