// Package change says what each filing of an adviser changed against the one before.
package change
