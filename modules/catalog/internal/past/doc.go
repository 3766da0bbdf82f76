// Package past answers aggregates and related lists for moments in the past: as the filings up to a day said, and as they
// had been processed up to an instant.
//
// An index is built once per moment from the records of all advisers with package fold, and the last few are cached. It has
// only what these two answers need (index.Analysis).
package past
