package dataops

import (
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
	"gpatlas/platform/overrides"
)

// Work gives the jobs and schedules of an operator's sources.
func Work(d Deps) ([]jobs.Handler, []jobs.Schedule) { return d.work() }

// Build gives the module as the container makes it, with what applies overrides.
func Build(d Deps, appliers ...overrides.Overrider) (module.Manifest, error) {
	return build(d.Config, d.DB, d.Loader, d.Clock, d.Log, optional{People: d.People, Overriders: appliers})
}
