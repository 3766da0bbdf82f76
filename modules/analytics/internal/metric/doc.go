// Package metric works out the growth and the fund figures of one adviser from its filings.
package metric
