// Package history says what stands of one adviser or fund: as the newest filings say it (the current rows), or as the
// filings that count as of a moment said it, folded from the versions of each filing. A moment is a day up to which filings were
// made (as_of), an instant up to which they had been processed (known_at), or one filing of the adviser's.
//
// The rules are those of package fold, by which package load derives the current rows too: this package reads the filings
// that count, and hands them over. Tests load documents and require that the fold of today equals the current rows, and the
// fold of an earlier day or instant those of then.
package history
