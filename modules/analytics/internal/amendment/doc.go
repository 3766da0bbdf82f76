// Package amendment lists the filings of an adviser or a fund with what kind of amendment each is, from the views that the
// catalogue publishes.
package amendment
