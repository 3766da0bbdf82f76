package panel

import (
	"context"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

// Manager is the manager that a request asks for, as it was at the requested moment.
type Manager struct {
	CRD       string
	LegalName string
	At        catalogapi.Moment
}

// Manager finds the manager of a request, with its legal name at the requested moment. It fails with NotFound if there is no such manager,
// or if no filing describes it by then, and with Invalid if the moment is in the future.
func (s *Store) Manager(ctx context.Context, in *Input) (*Manager, error) {
	at, err := s.Moment(in)
	if err != nil {
		return nil, err
	}
	if err := s.history.WaitForCommit(ctx, at.Known); err != nil {
		return nil, err
	}
	crds := []string{in.CRD}
	names, err := s.Names(ctx, crds, catalogapi.Moment{})
	if err != nil {
		return nil, err
	}
	if _, ok := names[in.CRD]; !ok {
		return nil, apperr.NotFound(catalogapi.NoGP, in.CRD)
	}
	if !at.Now() {
		if names, err = s.Names(ctx, crds, at); err != nil {
			return nil, err
		}
		if _, ok := names[in.CRD]; !ok {
			return nil, listing.NotYet("GP with CRD "+in.CRD, at)
		}
	}
	return &Manager{in.CRD, names[in.CRD], at}, nil
}

// Moment is the moment that a request asks for. One in the future is refused.
func (s *Store) Moment(in *Input) (at catalogapi.Moment, err error) {
	at.Day, at.Known, err = in.Resolve(s.clock)
	return at, err
}

// Names are the legal names at a moment of the managers among some CRD numbers.
func (s *Store) Names(ctx context.Context, crds []string, at catalogapi.Moment) (map[string]string, error) {
	if !at.Now() {
		return s.history.NamesAt(ctx, crds, s.asOf(at))
	}
	type firm struct{ CRD, LegalName string }
	const statement = "SELECT crd, legal_name FROM catalog.advisers WHERE crd = ANY (@crds)"
	rows, err := database.Select[firm](ctx, s.db, "look for managers", statement, database.Args{"crds": crds})
	names := make(map[string]string, len(rows))
	for _, f := range rows {
		names[f.CRD] = f.LegalName
	}
	return names, err
}

// Reporters are the managers that report funds at a moment, by Fund ID.
func (s *Store) Reporters(ctx context.Context, funds []string, at catalogapi.Moment) (map[string]history.Reporter, error) {
	if !at.Now() {
		return s.history.ReportersAt(ctx, funds, s.asOf(at))
	}
	type row struct{ FundID, CRD, LegalName string }
	const statement = "SELECT f.fund_id, a.crd, a.legal_name FROM catalog.funds f JOIN catalog.advisers a ON a.crd = f.adviser_crd WHERE f.fund_id = ANY (@funds)"
	rows, err := database.Select[row](ctx, s.db, "read who reports funds", statement, database.Args{"funds": funds})
	reporters := make(map[string]history.Reporter, len(rows))
	for _, r := range rows {
		reporters[r.FundID] = history.Reporter{CRD: r.CRD, LegalName: r.LegalName}
	}
	return reporters, err
}

// Forms sets the forms of editions of some managers' filings to those that were known at a moment.
func (s *Store) Forms(ctx context.Context, crds []string, at catalogapi.Moment, of ...*Edition) error {
	if at.Known.IsZero() || len(of) == 0 {
		return nil
	}
	forms, err := s.history.FormsAt(ctx, crds, s.asOf(at))
	for _, e := range of {
		e.FormType = forms[e.Accession]
	}
	return err
}

func (s *Store) asOf(at catalogapi.Moment) history.AsOf {
	return history.AsOf{Point: catalogapi.Point{Moment: at}, Today: s.clock.Now()}
}

// Persons are the natural persons in all filings of a manager.
func (s *Store) Persons(ctx context.Context, crd string) ([]string, error) {
	persons, err := history.Persons(ctx, s.db, crd)
	return persons[crd], err
}
