// Package module says what a module hands to the processes that host it: one Manifest, from which routes, jobs,
// schedules and health checks are derived. It knows no module.
package module

import (
	"context"

	"gpatlas/platform/console"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
)

// Manifest is everything a module offers. A field left empty offers nothing of its kind.
type Manifest struct {
	Name      string
	Routes    []httpapi.Route
	Pages     []console.Page // for people, with a browser
	Jobs      []jobs.Handler
	Schedules []jobs.Schedule
	Models    []any   // GORM models, checked against the database's columns by a test
	Checks    []Check // readiness: what must answer before traffic is welcome
}

// Check is one readiness check. Run returns nil when the part is ready, else why it is not.
type Check struct {
	Name string
	Run  func(ctx context.Context) error
}
