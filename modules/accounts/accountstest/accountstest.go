// Package accountstest is the accounts for tests of whole processes.
package accountstest

import "gpatlas/modules/accounts/internal/password"

// CheapPasswords makes passwords in this process cost next to nothing to hash, before it builds the module. What a real one costs
// is most of what a sign-up in a test takes.
func CheapPasswords() {
	password.OWASP = password.Params{MemoryKiB: 8, Passes: 1, Threads: 1}
}
