package provider

import (
	"cmp"
	"context"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/panel"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/page"
)

// GPInput is the parameters of the list of a manager's providers.
type GPInput struct {
	panel.Input
	Asked
}

// GPMeta is the remarks on the providers of a manager.
type GPMeta struct {
	page.Meta
	CRD      string `json:"crd" doc:"CRD number of the manager." example:"900001"`
	Funds    int    `json:"funds" doc:"Funds of the manager that are not closed." example:"12"`
	Withheld int    `json:"withheld" doc:"Firms left out because they are or may be persons. They are not in total." example:"0"`
	Basis    Basis  `json:"basis" doc:"Filings that the list comes from."`
}

// SchemaName is its name in the OpenAPI document.
func (GPMeta) SchemaName() string { return "GPProvidersMeta" }

type gpBody = httpapi.DataMeta[[]GPProvider, GPMeta]

func (s *Service) gp(ctx context.Context, in *GPInput) (*httpapi.Reply[gpBody], error) {
	roles, err := in.roles()
	if err != nil {
		return nil, err
	}
	snapshot, err := s.index.Snapshot()
	if err != nil {
		return nil, err
	}
	m, err := s.panels.Manager(ctx, &in.Input)
	if err != nil {
		return nil, err
	}
	funds, none, err := s.fundsAt(ctx, m)
	if err != nil {
		return nil, err
	}
	filed, err := s.filed(ctx, m.CRD, "", m.At)
	if err != nil {
		return nil, err
	}
	persons, err := s.panels.Persons(ctx, m.CRD)
	if err != nil {
		return nil, err
	}
	meta := GPMeta{CRD: m.CRD, Funds: len(funds)}
	for i := range filed {
		meta.Basis.note(filed[i].role, &filed[i].Edition)
	}
	g := grouping{funds: map[string]*ownFund{}, snapshot: snapshot, at: map[string]int{}, seen: map[string]bool{}}
	for i := range funds {
		g.funds[funds[i].FundID] = &funds[i]
		if fold.Audited(funds[i].Auditors, funds[i].AnnualAudit) != nil {
			meta.Basis.note(index.Roles[0], nil)
		}
	}
	if none {
		meta.Basis.note(index.Roles[0], nil)
	}
	for _, role := range roles {
		if role == index.Roles[0] {
			for i := range funds {
				for _, name := range funds[i].Auditors {
					g.add(role, &filedRow{FundID: funds[i].FundID, Name: name}, persons)
				}
			}
		}
		first := len(g.rows)
		for i := range filed {
			if filed[i].role == role {
				for k := range filed[i].rows {
					g.add(role, &filed[i].rows[k], persons)
				}
				for k := first; k < len(g.rows); k++ {
					g.rows[k].Source = meta.Basis.source(&filed[i].Edition)
				}
			}
		}
	}
	meta.Withheld = len(g.withheld)
	g.sort()
	meta.Meta = in.Meta(len(g.rows))
	return &httpapi.Reply[gpBody]{Body: gpBody{Data: panel.Cut(g.rows, in.Paging), Meta: meta}, Page: in.Links(len(g.rows))}, nil
}

// fundsAt are the open funds of a manager at a moment. none means that its filings state that it has no funds: its auditors are then not unknown.
func (s *Service) fundsAt(ctx context.Context, m *panel.Manager) (funds []ownFund, none bool, err error) {
	current, err := s.history.FindAdviser(ctx, m.CRD)
	if err != nil || current == nil {
		return nil, false, err
	}
	if m.At.Now() {
		funds, err = s.funds(ctx, m.CRD)
		return funds, hasNone(current), err
	}
	state, _, err := s.history.CourseAt(ctx, m.CRD, history.AsOf{Point: catalogapi.Point{Moment: m.At}, Today: s.clock.Now()})
	if err != nil || state == nil {
		return nil, false, err
	}
	for i := range state.Funds {
		if f := &state.Funds[i]; f.Status != catalogapi.FundClosed {
			funds = append(funds, ownFund{f.FundID, f.GrossAssetValue, f.Auditors, f.AnnualAudit})
		}
	}
	return funds, hasNone(&state.Adviser), nil
}

func hasNone(a *fold.Adviser) bool { return a.FundCount != nil && *a.FundCount == 0 }

// grouping gathers the rows of funds by role and firm.
type grouping struct {
	snapshot *index.Snapshot
	funds    map[string]*ownFund
	rows     []GPProvider
	at       map[string]int  // by role and ID: the place in rows
	withheld []string        // roles and IDs
	seen     map[string]bool // roles, IDs and funds
}

func (g *grouping) add(role string, f *filedRow, persons []string) {
	fund, open := g.funds[f.FundID]
	if !open {
		return
	}
	p := g.snapshot.ProviderOf(&index.FiledProvider{Name: f.Name, CRD: catalogapi.TextOf(f.CRD), LEI: catalogapi.TextOf(f.LEI)})
	key := role + " " + p.ID
	if slices.Contains(g.withheld, key) {
		return
	}
	i, known := g.at[key]
	if !known {
		if !shows(&p, persons) {
			g.withheld = append(g.withheld, key)
			return
		}
		i = len(g.rows)
		g.at[key] = i
		g.rows = append(g.rows, GPProvider{Role: role, ProviderID: p.ID, Name: p.Name, CRD: catalogapi.Text(p.CRD), LEI: catalogapi.Text(p.LEI)})
	}
	row := &g.rows[i]
	if f.Related != nil && (row.Related == nil || *f.Related) {
		row.Related = f.Related
	}
	if g.seen[key+f.FundID] {
		return
	}
	g.seen[key+f.FundID] = true
	row.FundIDs = append(row.FundIDs, f.FundID)
	if fund.GrossAssetValue != nil {
		gav := *fund.GrossAssetValue
		if row.GAV != nil {
			gav += *row.GAV
		}
		row.GAV = &gav
	}
}

// sort puts the rows into the order of roles, the firms with most funds first.
func (g *grouping) sort() {
	for i := range g.rows {
		slices.Sort(g.rows[i].FundIDs)
	}
	slices.SortFunc(g.rows, func(a, b GPProvider) int {
		return cmp.Or(cmp.Compare(slices.Index(index.Roles, a.Role), slices.Index(index.Roles, b.Role)), cmp.Compare(len(b.FundIDs), len(a.FundIDs)),
			cmp.Compare(a.Name, b.Name), cmp.Compare(a.ProviderID, b.ProviderID))
	})
}
