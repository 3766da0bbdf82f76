// Package related finds the advisers that are most like one: GET /v1/gps/{crd}/related. Who is alike is decided by the
// catalogue's index; this package asks it and says why in words.
package related
