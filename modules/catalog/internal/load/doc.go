// Package load writes source documents into the catalogue.
//
// One document is one transaction under one advisory lock, so that two loads wait for each other:
//
//  1. Stage: each sequence is copied into a temporary table. While a row passes, it is checked (keys, duplicates,
//     children of unknown parents) and added to the digest of its filing. Filings and funds wait for what completes them.
//  2. Merge: a filing whose digest is known is left alone, and with it everything below it; the others become or
//     replace versions.
//  3. Derive: the current advisers and funds are computed anew from the versions, for the affected ones only, and
//     written where they differ (package derive holds the rules that are not SQL).
//  4. Publish: a change notice, when anything changed.
//
// A first load, into an empty catalogue, leaves out what there is nothing for (first.go): as long as each filing is new,
// rows go straight where they stay, inside the savepoint of their document; their keys are made at the end.
//
// What hangs on a filing besides (owners, offices, disclosures, a fund's service providers, …) goes one way for all tables:
// childTables describes them, each row counts in its filing's digest, and a filing that is restated has all of its rows of
// the table written anew. A table that a document does not have says nothing: what an earlier edition of a filing gave
// stays.
//
// Forms ADV-W go the same four steps in a smaller way (withdrawal.go), as do notices of Form D (formd.go).
//
// Two documents may name one filing, as two months' rosters do. Field by field the newer edition that has a column for it
// counts (sql/complete.sql). A field without a column is one that the filing is silent about: the versions before it speak.
//
// The order of versions, everywhere: filing date, then the source's authority (fund list < roster < feed < archive), then time
// of submission, then FilingID. The current state depends on the versions alone, never on the order in which the
// documents came.
package load
