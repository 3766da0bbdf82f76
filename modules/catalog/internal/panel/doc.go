// Package panel reads a list of one manager's filings (offices, affiliates, …) as of a moment: that of the newest filing whose document
// has the table of the list. A list that no filing states is unknown; one that is stated and empty is none.
package panel
