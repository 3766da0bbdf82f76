// Package roster reads the regulator's monthly rosters of advisers, registered and exempt reporting: one row a firm, as
// an XLSX workbook or CSV, bare or as the only file of a zip archive.
package roster
