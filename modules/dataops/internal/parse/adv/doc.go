// Package adv reads the regulator's Form ADV Part 1 archives: tables of filings as CSV files in a zip archive or a
// folder, cut into date ranges. A filing's rows are joined by a key made of its kind (IA or ERA) and its FilingID.
package adv
