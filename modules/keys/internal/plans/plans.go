// Package plans is the page that says what plans and API tiers are; mails about the free trial link to it.
package plans

import (
	"context"
	"embed"
	"net/http"
	"strconv"

	"gpatlas/modules/keys/internal/free"
	"gpatlas/modules/keys/internal/limit"
	"gpatlas/platform/console"
	"gpatlas/platform/module"
	templates "gpatlas/templates/console"
)

//go:embed plans.html
var files embed.FS

var body = templates.Parse(files, "plans.html")

// row is a tier as the page shows it.
type row struct{ Name, Burst, Minute, Day string }

// content is what the page shows.
type content struct {
	Free  string // calls of the free plan
	Tiers []row
}

// Part is what the slice offers.
func Part() module.Part { return module.Part{Pages: Pages()} }

// Pages is the page.
func Pages() []console.Page {
	shown := content{Free: number(free.Limit)}
	for _, t := range limit.Tiers() {
		shown.Tiers = append(shown.Tiers, row{t.Name, number(t.Burst), number(t.Minute), number(t.Day)})
	}
	return []console.Page{{Method: http.MethodGet, Path: "/plans", Load: func(context.Context, *console.Request) (console.View, error) {
		return console.View{Title: "Plans and limits", Body: body, Data: shown}, nil
	}}}
}

// number writes 12345 as 12,345; 0 is no limit.
func number(n int64) string {
	if n == 0 {
		return "unlimited"
	}
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
