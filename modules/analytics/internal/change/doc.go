// Package change lists what each filing of an adviser changed against the previous one.
package change
