// Package diff compares what the filings said of an adviser and its funds at two points: GET /v1/gps/{crd}/diff, which the
// contract does not know.
package diff
