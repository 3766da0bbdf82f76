// Package history says what stands of one adviser or fund: as the newest filings say it (the current rows), or as the
// filings that count as of a moment said it, folded from the records of what advisers filed (package record). A moment is a day up to which filings were
// made (as_of), an instant up to which they had been processed (known_at), or one filing of the adviser's.
//
// The rules are those of package fold, by which package load derives the current rows too: this package reads what record.Record.At
// says that counts, and hands it over. Tests load documents and require that the fold of today equals the current rows, and the
// fold of an earlier day or instant those of then.
package history
