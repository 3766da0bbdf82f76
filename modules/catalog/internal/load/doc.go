// Package load writes source documents into the catalog.
//
// A batch of documents is one transaction under one advisory lock, so loads run one after another. Every document passes
// through the same three parts (docs/ingestion.md has a drawing):
//
//  1. The reader (reader.go) reads it ahead of its turn. It checks each row (keys, duplicates, children of unknown parents),
//     adds it to the digest of its filing, and sends it on, encoded, in chunks over one bounded channel. Filings and funds
//     wait for what completes them.
//  2. The stager (stager.go) copies each chunk into the temporary table that the chunk names. A filing whose digest is known
//     is left out before that (differing.go), with all its rows.
//  3. The merger (merger.go) makes the others versions, or replaces those that they restate.
//
// At the end of the batch two more steps follow for all of its documents:
//
//  4. Derive: the affected advisers are read, one after another, with all that was filed by and about them (a fold.Record);
//     package fold computes the current rows of each and of its funds from it, and they are written where they differ.
//  5. Publish: a change notice, when anything changed.
//
// A first load, into an empty catalog, skips the steps that it does not need (first.go): as long as each filing is new, the
// stager copies rows directly into the final tables, inside the savepoint of their document. Their keys are made at the end.
//
// Other rows that belong to a filing (owners, offices, disclosures, a fund's service providers, …) take the same way for all tables:
// childTables describes them, each row counts in its filing's digest, and all rows of a restated filing in the table
// are written again. A table that a document lacks states nothing: the rows of an earlier edition of the
// filing stay.
//
// Notices of Form D and Forms ADV-W have readers of their own (reader_notices.go, reader_withdrawals.go) and the same stager.
// What merges them also derives and publishes (merger_notices.go, merger_withdrawals.go).
//
// Two documents may name one filing, as two months' rosters do. Field by field the newer edition that has a column for it
// counts (sql/complete.sql). A filing is silent about a field without a column: the versions before it decide.
//
// The order of versions is fold.Order: filing date, then the source's authority (fund list < roster < feed < archive), then time
// of submission, then FilingID. The current state depends on the versions alone, never on the order in which the
// documents came.
package load
