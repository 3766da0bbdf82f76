package dataops

import "gpatlas/platform/jobs"

// Work gives the jobs and schedules of an operator's sources.
func Work(d Deps) ([]jobs.Handler, []jobs.Schedule) { return d.work() }
