// Package fold holds the rules that lead from filings to the state of an adviser and of its funds. They are pure functions:
// no database, no clock, no context.
//
// The input is a Record: all filings of one adviser that count, their versions of the adviser, all versions of the funds that it
// ever named, by any filer, the notices of Form D that are joined to these, and the corrections of operators (Overrides).
// The caller that reads it decides what counts: everything (the current rows), the filings up to a day or a filing, or what
// was known at an instant.
//
//   - Record.State is the state on a day: the adviser, its funds with their values, and, where it is asked for, the filing
//     that each value comes from (Provenance).
//   - Record.Timeline is the state after each of its filings, for changes and metrics.
//   - FundStateOf is one fund with provenance; Office and FirmOf the parts of an adviser that Form D joins and the grouping need.
//   - Order sorts filings, NewestFirst the versions of an adviser. [NewestList], [Newest], [Withdrawn] and [MarkInitial] find or
//     mark single filings.
//   - Chained, ByName and Placed join notices of Form D with one another and with funds.
//
// Package load calls foldWorker.record (load/derive_record.go) once for each affected adviser, with its complete Record. It makes
// all that is stored of an adviser beside its current row.
//
// Corrections are applied after the filings and before the totals that they count in. Record.Timeline leaves them out: it has
// the states according to the filings.
//
// The order of versions is filing date, then the source's authority, submission, FilingID, accession number. The newest whole form
// and all newer versions are the base of an adviser's fields. One version decides the main office. Totals are over the open
// funds. Input and output share versions and strings: never write through a pointer.
package fold
