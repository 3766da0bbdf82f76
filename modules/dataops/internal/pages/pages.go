// Package pages is the pages for operators about the data: how fresh and how right they are, and what is done about it. They show what
// the operations return, and act through them.
package pages

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"gpatlas/platform/console"
	"gpatlas/platform/module"
	templates "gpatlas/templates/console"
)

const (
	root           = "/admin"
	freshnessPath  = root + "/freshness"
	coveragePath   = root + "/coverage"
	ingestionsPath = root + "/ingestions"
	ingestionPath  = ingestionsPath + "/{run_id}"
	quarantinePath = root + "/quarantine"
	qualityPath    = root + "/quality"
	overridesPath  = root + "/overrides"
	jobsPath       = root + "/jobs"
	queuesPath     = root + "/queues"
	auditPath      = root + "/audit"
)

// Part is the pages.
func Part() module.Part {
	page := func(path, menu string, order int, load func(context.Context, *console.Request) (console.View, error)) console.Page {
		return console.Page{Method: http.MethodGet, Path: path, Access: console.Admin, Menu: menu, Order: order, Load: load}
	}
	again := console.Action{Path: ingestionsPath + "/again/{source}", Operation: "trigger-extraction", Of: map[string]string{"source": "source"}, Button: true, Then: begun}
	return module.Part{Pages: slices.Concat(
		[]console.Page{
			page(root, "Overview", 10, overview), page(coveragePath, "Coverage", 30, coverage), page(quarantinePath, "Quarantine", 50, quarantine),
			page(jobsPath, "Jobs", 80, scheduled), page(auditPath, "Audit", 100, changes),
		},
		page(freshnessPath, "Freshness", 20, freshness).With(
			console.Action{Path: freshnessPath, Operation: "queue-freshness-entity", Lead: freshnessPath + "?notice=queued"},
			console.Action{Path: freshnessPath + "/process", Operation: "process-freshness-queue", Button: true, Lead: freshnessPath + "?notice=started"},
		),
		page(ingestionsPath, "Ingestions", 40, ingestions).With(console.Action{Path: ingestionsPath, Operation: "trigger-extraction", Body: extractionBody, Then: begun}),
		page(ingestionPath, "", 0, ingestion).With(again),
		page(qualityPath, "Quality", 60, quality).With(
			console.Action{Path: qualityPath + "/alerts/{alert_id}/acknowledge", Operation: "acknowledge-data-alert", Button: true, Lead: qualityPath + "?notice=noted"},
			console.Action{Path: qualityPath, Operation: "resolve-data-alert", Query: []string{"alert_id"}, Lead: qualityPath + "?notice=resolved"},
		),
		page(overridesPath, "Overrides", 70, corrections).With(
			console.Action{Path: overridesPath + "/preview", Operation: "create-override", Query: []string{"preview"}, Body: overrideBody, Then: previewed},
			console.Action{Path: overridesPath, Operation: "create-override", Body: overrideBody, Lead: overridesPath + "?notice=saved"},
			console.Action{Path: overridesPath + "/{override_id}/remove", Operation: "delete-override", Button: true, Lead: overridesPath + "?notice=removed"},
		),
	)}
}

// screen is a page of sections. a is the operation that the page is about.
func screen(title, lead string, a *console.Answer, sections ...console.Section) console.View {
	return console.View{Title: title, Body: templates.Screen, Answer: a, Wide: true, Data: &console.Content{Lead: lead, Sections: sections}}
}

// The signs that stand before the words of a state, because color alone must not show it. The space behind a sign keeps it on the line of its word.
const (
	good    = "✓\u00a0"
	doubt   = "▲\u00a0"
	bad     = "✗\u00a0"
	unknown = "? not known"
)

var signs = map[string]string{
	"fresh": good, "warn": doubt, "stale": bad, "completed": good, "failed": bad, "done": good, "ok": good, "alarm": bad, "open": doubt, "resolved": good,
}

// state writes a state with its sign: "✓ fresh".
func state(v any) string {
	word, ok := v.(string)
	if !ok {
		return "–"
	}
	return signs[word] + strings.ReplaceAll(word, "_", " ")
}

// moment writes a time for a narrow column: its line does not break.
func moment(v any) string { return strings.ReplaceAll(console.Moment(v), " ", "\u00a0") }

// list is the answer of a list that is a member of another answer.
func list(v any) *console.Answer {
	return &console.Answer{Data: v, Meta: map[string]any{}}
}

func param(name, value string) url.Values { return url.Values{name: {value}} }

// took writes how long something ran.
func took(row map[string]any) console.Cell {
	from, err := time.Parse(time.RFC3339, console.Plain(row["started_at"]))
	until, unfinished := time.Parse(time.RFC3339, console.Plain(row["finished_at"]))
	if err != nil || unfinished != nil {
		return console.Cell{Text: "–"}
	}
	return console.Cell{Text: console.Age(until.Sub(from).Seconds())}
}
