// Package amendment lists the filings of an adviser or a fund with the kind of amendment of each, from the catalog's published
// views.
package amendment
