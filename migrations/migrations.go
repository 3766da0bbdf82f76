// Package migrations holds the schema as ordered SQL files, one module a file, applied by `gpatlas migrate up`.
package migrations

import "embed"

// FS is the migration files, embedded so that one binary carries its schema.
//
//go:embed [0-9]*.sql
var FS embed.FS
