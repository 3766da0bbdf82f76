// Package source knows where documents come from: the configured sources with their addresses and schedules, how the files
// of each are listed, its earlier downloads and its recent failures.
//
// What a server states about its files is not trusted: an index may name files, never hosts or folders.
package source
