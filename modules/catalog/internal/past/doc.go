// Package past answers aggregates, related lists and searches for moments in the past: as the filings up to a day said, and as they
// had been processed up to an instant.
//
// An index is built once per moment from the records of all advisers with package fold, and the last few are cached. It has
// only what these answers need (index.Analysis).
package past
