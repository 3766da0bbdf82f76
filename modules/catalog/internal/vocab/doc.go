// Package vocab holds the closed vocabularies of the catalog: strategies with their aliases and manager types,
// countries and US states with the spellings under which filings name them. It is pure: tables and look-ups, no I/O.
package vocab
