// Package diff compares an adviser and its funds at two points: GET /v1/gps/{crd}/diff, which is beyond the contract.
package diff
