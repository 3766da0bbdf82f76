// Package filing lists the filings of one adviser, from the database.
package filing
