package metric

import (
	"context"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/clock"
)

// Service works out metrics.
type Service struct {
	history catalogapi.History
	clock   clock.Clock
}

// NewService makes the service.
func NewService(history catalogapi.History, clk clock.Clock) *Service {
	return &Service{history: history, clock: clk}
}

// Result is the figures of one adviser and their sources.
type Result struct {
	GP      catalogapi.AdviserState
	Metrics Metrics
	Basis   Basis
	Sources []string // names of the sources, sorted
}

// Get calculates the figures of an adviser as of a moment. It fails with NotFound if there is no such adviser or it had filed
// nothing by then, and with Unavailable if the database is unavailable.
func (s *Service) Get(ctx context.Context, crd string, at catalogapi.Moment) (Result, error) {
	standing, timeline, err := s.history.Course(ctx, crd, at)
	if err != nil {
		return Result{}, err
	}
	r := Result{GP: standing.AdviserState, Sources: sources(&standing, timeline)}
	r.Metrics, r.Basis = Compute(&standing, timeline)
	return r, nil
}

// sources names the sources of the figures.
//
// Spec: not shown; Form D counts if a vintage is its first sale. A withdrawal has no figures and is not named.
func sources(s *catalogapi.AdviserWithFunds, timeline []catalogapi.AdviserState) []string {
	names := make([]string, 0, 4)
	for i := range timeline {
		if n := sourceName(timeline[i].Filing.Source); n != "" {
			names = append(names, n)
		}
	}
	if slices.ContainsFunc(s.Funds, func(f catalogapi.FundState) bool {
		return f.Status != catalogapi.FundClosed && f.VintageQuality == catalogapi.VintageFormD
	}) {
		names = append(names, sourceName(catalogapi.SourceFormD))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func sourceName(s catalogapi.Source) string {
	switch s {
	case catalogapi.SourceFundList:
		return "List of private funds"
	case catalogapi.SourceRoster:
		return "SEC adviser roster"
	case catalogapi.SourceFeed:
		return "IAPD firm feed"
	case catalogapi.SourceADVArchive:
		return "Form ADV archive"
	case catalogapi.SourceFormD:
		return "Form D"
	case catalogapi.SourceADVW:
	}
	return ""
}
