// Package docs has the page of this folder that a running service shows.
package docs

import _ "embed"

// Conventions is what all operations have in common, as Markdown.
//
//go:embed conventions.md
var Conventions string
