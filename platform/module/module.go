// Package module defines what a module provides to the processes that host it: one Manifest, made of a Part for each slice,
// from which routes, jobs, schedules, readiness checks and background work are derived. It imports no module.
package module

import (
	"context"

	"gpatlas/platform/console"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
)

// Part is what one slice of a module provides. Empty fields provide nothing.
type Part struct {
	Routes     []httpapi.Route
	Webhooks   []httpapi.Webhook // requests that the slice sends, for the document
	Pages      []console.Page    // for people, with a browser
	Panels     []console.Panel   // of pages, those of other modules too
	Jobs       []jobs.Handler
	Schedules  []jobs.Schedule
	Models     []any             // GORM models, checked against the database's columns by a test
	Checks     []Check           // readiness: what must work before requests are accepted
	Exporters  []Exporter        // the slice's personal data for exports
	Deleted    []AccountListener // called when an account is deleted
	Purged     []AccountListener // called when it is purged
	Release    []func()          // called when a process that answers requests stops, before it waits for them: those that wait must end
	Background []Background      // runs in processes that answer requests, from before the first request until after the last
	Workers    []Background      // runs in processes that run jobs, such as gpatlas worker and gpatlas dev
}

// Manifest is everything a module provides: its name, and its parts combined in order.
type Manifest struct {
	Name string
	Part
}

// New combines the parts of a module.
func New(name string, parts ...Part) Manifest {
	m := Manifest{Name: name}
	for _, p := range parts {
		m.Routes = append(m.Routes, p.Routes...)
		m.Webhooks = append(m.Webhooks, p.Webhooks...)
		m.Pages = append(m.Pages, p.Pages...)
		m.Panels = append(m.Panels, p.Panels...)
		m.Jobs = append(m.Jobs, p.Jobs...)
		m.Schedules = append(m.Schedules, p.Schedules...)
		m.Models = append(m.Models, p.Models...)
		m.Checks = append(m.Checks, p.Checks...)
		m.Exporters = append(m.Exporters, p.Exporters...)
		m.Deleted = append(m.Deleted, p.Deleted...)
		m.Purged = append(m.Purged, p.Purged...)
		m.Release = append(m.Release, p.Release...)
		m.Background = append(m.Background, p.Background...)
		m.Workers = append(m.Workers, p.Workers...)
	}
	return m
}

// Check is one readiness check. Run returns nil if the part is ready, else why it is not.
type Check struct {
	Name string
	Run  func(ctx context.Context) error
}

// Background is work besides requests. Start returns at once; the work outlives its context. Stop ends the work and waits for
// it, no longer than its context lasts.
type Background interface {
	Start(ctx context.Context)
	Stop(ctx context.Context) error
}
