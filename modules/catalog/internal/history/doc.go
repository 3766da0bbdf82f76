// Package history says what stands of one adviser or fund: as the newest filings say it (the current rows), or as the
// filings that count as of a moment said it, folded from the versions of each filing. A moment is a day up to which filings were
// made (as_of), an instant up to which they had been processed (known_at), or one filing of the adviser's.
//
// The rules of the fold are those by which package load derives the current rows, restated for one adviser in memory: the
// order of versions (filing date, then the source's authority, submission, FilingID), the newest whole form and what is
// newer as its base, one version for the main office, roll-ups over the funds that are not closed. Tests load documents and
// require that the fold of today equals the current rows, and the fold of an earlier day or instant those of then. The fold
// notes from which filing it takes each value: the provenance that details show on demand.
package history
