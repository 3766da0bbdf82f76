// Package series answers what a manager's or a fund's filings stated over time: a row for each filing, or the last one of each quarter or
// year. It shows states alone; differences and rates are products of analytics.
package series
