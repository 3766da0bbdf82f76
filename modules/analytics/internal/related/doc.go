// Package related finds the advisers that are most similar to one: GET /v1/gps/{crd}/related. The catalog's index decides about
// similarity; this package adds the reasons as text.
package related
