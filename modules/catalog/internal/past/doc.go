// Package past answers aggregates and related lists for moments in the past: as the filings up to a day said, and as they
// had been processed up to an instant.
//
// The index of such a moment is made from the records of all advisers with package fold, once for all questions
// about it, and a few of them are kept. It holds what these two answers need and nothing else (index.Analysis).
package past
