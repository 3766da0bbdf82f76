// Package metric calculates the growth and the fund figures of one adviser from its filings.
package metric
