// Package history returns one adviser or fund, either according to the newest filings (the current rows) or according to the filings
// that count as of a moment, folded from the records of what advisers filed (package record). A moment is a day up to which filings
// were made (as_of), an instant up to which they had been processed (known_at), or one filing of the adviser's.
//
// The rules are those of package fold, by which package load derives the current rows too. This package passes it the part of a
// record that counts, according to record.Record.At. Tests load documents and require that the fold of today equals the current
// rows, and that the fold of an earlier day or instant equals the rows of that time.
package history
