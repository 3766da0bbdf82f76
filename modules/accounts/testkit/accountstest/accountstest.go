// Package accountstest prepares accounts for tests of whole processes.
package accountstest

import "gpatlas/modules/accounts/internal/password"

// CheapPasswords makes password hashing in this process cheap, if it is called before the module is built. Real hashes would
// take most of the time of a sign-up in tests.
func CheapPasswords() {
	password.OWASP = password.Params{MemoryKiB: 8, Passes: 1, Threads: 1}
}
