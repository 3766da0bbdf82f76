// Package lplist reads lists of LPs' commitments to funds, as public pensions publish them and others put them together: CSV, one
// row for each LP, fund and day. Columns are found by their headers in many spellings, which also say in which unit amounts are.
package lplist
