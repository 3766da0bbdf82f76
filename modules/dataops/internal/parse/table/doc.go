// Package table reads the regulator's CSV tables as a stream: header-driven, with the dialect that they are really
// written in. Inner quotes are mostly not escaped, records may span lines, a few rows have the wrong number of fields.
// A row that cannot be read is reported with its line and its text, and reading goes on at the line after it.
package table
