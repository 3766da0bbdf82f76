package catalogtest

import (
	"context"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
)

// History is catalogapi.History with fixed answers, whatever the moment. A CRD that no map has is not found.
type History struct {
	Standings map[string]catalogapi.AdviserWithFunds
	Timelines map[string][]catalogapi.AdviserState
	// Records are asked for by CRD and point, or the point's accession number where there is one, or else its day.
	Records map[string]map[string]catalogapi.Record
	Funds   map[string][2]string // by address: Fund ID and the adviser's CRD
	Err     error                // answered to everything, when not nil
	Asked   []catalogapi.Moment  // the moments of Course and Timeline, in order
}

var _ catalogapi.History = (*History)(nil)

func (h *History) noGP(crd string) error {
	if h.Err != nil {
		return h.Err
	}
	return apperr.NotFound(catalogapi.NoGP, crd)
}

// Course answers from Standings and Timelines.
func (h *History) Course(_ context.Context, crd string, at catalogapi.Moment) (catalogapi.AdviserWithFunds, []catalogapi.AdviserState, error) {
	h.Asked = append(h.Asked, at)
	s, ok := h.Standings[crd]
	if !ok || h.Err != nil {
		return s, nil, h.noGP(crd)
	}
	return s, slices.Clone(h.Timelines[crd]), nil
}

// Timeline answers from Timelines.
func (h *History) Timeline(_ context.Context, crd string, at catalogapi.Moment) ([]catalogapi.AdviserState, error) {
	h.Asked = append(h.Asked, at)
	t, ok := h.Timelines[crd]
	if !ok || h.Err != nil {
		return nil, h.noGP(crd)
	}
	return slices.Clone(t), nil
}

// Record answers from Records.
func (h *History) Record(_ context.Context, crd string, at catalogapi.Point) (catalogapi.Record, error) {
	key := at.Accession
	if key == "" {
		key = at.Day.Format("2006-01-02")
	}
	r, ok := h.Records[crd][key]
	if !ok || h.Err != nil {
		return r, h.noGP(crd)
	}
	return r, nil
}

// FindFund answers from Funds.
func (h *History) FindFund(_ context.Context, fundID string) (id, adviserCRD string, err error) {
	f, ok := h.Funds[fundID]
	if h.Err != nil {
		return "", "", h.Err
	}
	if !ok {
		return "", "", apperr.NotFound("Fund %s not found", fundID)
	}
	return f[0], f[1], nil
}

// Analysis is catalogapi.Analysis with a function for answers.
type Analysis struct {
	RelatedFunc func(q catalogapi.RelatedQuery, at catalogapi.Moment) (catalogapi.Related, bool, error)
}

var _ catalogapi.Analysis = Analysis{}

// Related calls RelatedFunc.
func (a Analysis) Related(_ context.Context, q catalogapi.RelatedQuery, at catalogapi.Moment) (catalogapi.Related, bool, error) {
	return a.RelatedFunc(q, at)
}
