// Package source knows where documents come from: the configured sources with their addresses and schedules, how each
// tells what it has, what was fetched of it before, and how it has been doing lately.
//
// What a server states about its files is not trusted: an index may name files, never hosts or folders.
package source
