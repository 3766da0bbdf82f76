// Package derive has the catalog's rules that turn values of filings into values that can be searched: a fund's strategy,
// a firm's own website, the stem of its name. They are pure functions, and the only definition of each rule.
package derive
