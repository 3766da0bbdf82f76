// Package testscale scales the rounds of randomized tests: few for every change, many on request.
package testscale

import (
	"os"
	"strconv"
	"testing"
)

// Setting is the environment variable that multiplies the rounds of randomized tests; `make soak` sets it.
const Setting = "GPATLAS_TEST_ROUNDS"

// Rounds is n times the factor of [Setting], 1 without it. It fails the test for a factor that is not a whole number of at least one.
func Rounds(tb testing.TB, n int) int {
	tb.Helper()
	text, set := os.LookupEnv(Setting)
	if !set {
		return n
	}
	factor, err := strconv.Atoi(text)
	if err != nil || factor < 1 {
		tb.Fatalf("%s=%q: must be a whole number of at least 1", Setting, text)
	}
	return n * factor
}
