package dataops

import (
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
)

// Work gives the jobs and schedules of an operator's sources.
func Work(d Deps) ([]jobs.Handler, []jobs.Schedule) { return d.work() }

// Build gives the module as the container makes it.
func Build(d Deps) module.Manifest {
	return build(d.Config, d.DB, d.Loader, d.Clock, d.Log, optional{People: d.People})
}
