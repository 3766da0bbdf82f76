// Package adv reads the regulator's Form ADV Part 1 archives: tables of filings as CSV files in a zip archive or a
// folder, cut into date ranges. A filing's rows are joined by a key made of its kind (IA or ERA) and its FilingID.
//
// The tables of filings and of funds must be good. Every other table is optional: without it, or with a header that is of
// no use, the archive loads without what it says, and a row that is broken costs itself alone. In these tables a column
// that a row can do without is absent where its cell is not understood.
package adv
