// Package history says what stands of one adviser or fund: as the newest filings say it (the current rows), or as the
// filings up to a day said it (as_of), folded from the versions of each filing.
//
// The rules of the fold are those by which package load derives the current rows, restated for one adviser in memory: the
// order of versions (filing date, then the source's authority, submission, FilingID), the newest whole form and what is
// newer as its base, one version for the main office, roll-ups over the funds that are not closed. A test loads
// documents and requires that the fold of today equals the current rows.
package history
