// Package fund is the private funds of the catalog: searching them from the index, and one of them in full from the
// database.
package fund
