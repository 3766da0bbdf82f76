// Package gp is the advisers of the catalog: searching them, one of them in full, its funds and its totals. Searches,
// fund lists and totals are answered from the index; the detail comes from the database, because it shows everything that
// was filed.
package gp
