package lp

import (
	"cmp"
	"context"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/page"
)

// Investor is an LP beside its commitment.
type Investor struct {
	ID         int64   `json:"id" doc:"The LP's ID in this service." example:"1"`
	Name       string  `json:"name" doc:"Name, as the LP's list of commitments has it." example:"Larkspur Teachers Retirement Fund"`
	EntityType *string `json:"entity_type" enum:"pension,endowment,family_office,fund_of_funds,insurance,sovereign_wealth,corporate,other" doc:"Kind of LP. Null where no list states it." example:"pension"`
	State      *string `json:"state" doc:"State, where the list states it." example:"MA"`
}

// SchemaName is its name in the OpenAPI document.
func (Investor) SchemaName() string { return "CommitmentLP" }

// Commitment is an investment with its LP.
type Commitment struct {
	LP Investor `json:"lp" doc:"Who has committed."`
	Investment
}

// SchemaName is its name in the OpenAPI document.
func (Commitment) SchemaName() string { return "LPCommitment" }

// Holder is an LP of a fund or a manager, with its commitments to it.
type Holder struct {
	LP          Investor     `json:"lp" doc:"Who has committed."`
	Committed   Sum          `json:"committed" doc:"Sum of the commitments."`
	Commitments []Investment `json:"commitments" nullable:"false" doc:"The commitments, the largest first."`
}

// SchemaName is its name in the OpenAPI document.
func (Holder) SchemaName() string { return "LPHolder" }

// Sum is a sum of commitments.
type Sum struct {
	Sum   *int64 `json:"sum" doc:"Sum of the known commitments in US dollars. Null if none is known." example:"85000000"`
	Known int    `json:"known" doc:"Commitments whose amount is known: the sum is of these." example:"1"`
}

// SchemaName is its name in the OpenAPI document.
func (Sum) SchemaName() string { return "CommitmentSum" }

func (s *Sum) add(committed *int64) {
	if committed == nil {
		return
	}
	if s.Sum == nil {
		s.Sum = new(int64)
	}
	*s.Sum += *committed
	s.Known++
}

// ListMeta describes a page of commitments.
type ListMeta struct {
	SearchMeta
	// Spec: not shown; an empty response is free, so it may not count rows that a caller would pay for.
	Unmatched *int `json:"unmatched" doc:"Commitments that match all other filters, but are left out because the strategy of their fund is unknown. 0 without strategy. Null if total is 0." example:"0"`
	Committed Sum  `json:"committed" doc:"Sum of all commitments that match, not only those of the page."`
}

// SchemaName is its name in the OpenAPI document.
func (ListMeta) SchemaName() string { return "CommitmentMeta" }

func newListMeta(in page.Input, a *request, t totals) ListMeta {
	m := ListMeta{SearchMeta: SearchMeta{in.Meta(t.Total), a.applied}, Committed: Sum{Sum: t.CommittedSum, Known: t.CommittedKnown}}
	if t.Total > 0 {
		m.Unmatched = &t.Unmatched
	}
	return m
}

// CommitmentsInput asks for commitments.
type CommitmentsInput struct {
	page.Input
	CommitmentFilters

	GPCRD      httpapi.Opt[string] `query:"gp_crd" pattern:"^[1-9][0-9]{0,9}$" patternDescription:"a CRD number: 1 to 10 digits without leading zeros" example:"998243" doc:"Only commitments whose manager was matched to this CRD number."`
	FundID     httpapi.Opt[string] `query:"fund_id" pattern:"^805-[0-9]{10}$" patternDescription:"a Fund ID: 805- and 10 digits" doc:"Only commitments that were matched to this fund."`
	EntityType httpapi.Opt[string] `query:"entity_type" example:"pension" doc:"Only commitments of LPs of this kind: pension, endowment, family_office, fund_of_funds, insurance, sovereign_wealth, corporate or other. Separate several with commas."`
	LPState    httpapi.Opt[string] `query:"lp_state" example:"CA,NY,MA,TX,IL" doc:"Only commitments of LPs of this state, as the list states it, regardless of case. Separate several with commas."`
	Sort       string              `query:"sort" enum:"committed,irr,vintage" default:"committed" example:"committed" doc:"Order: the commitment, the net internal rate of return, or the vintage year. Unknown values come last."`
	Order      string              `query:"order" enum:"asc,desc" default:"desc" example:"desc" doc:"Direction of the order."`
}

type commitmentsBody = httpapi.DataMeta[[]Commitment, ListMeta]

func (h *handlers) commitments(ctx context.Context, in *CommitmentsInput) (*httpapi.Reply[commitmentsBody], error) {
	a := newRequest(h.words)
	f := a.commitments(&in.CommitmentFilters)
	f.CRD, f.FundID = a.one("gp_crd", in.GPCRD), a.one("fund_id", in.FundID)
	f.EntityTypes = a.types("entity_type", in.EntityType)
	var err error
	if f.States, err = a.states("lp_state", in.LPState, h.unheld(ctx)); err != nil {
		return nil, err
	}
	if err := a.err(); err != nil {
		return nil, err
	}
	limit, offset, _ := in.Window()
	rows, t, err := h.store.commitments(ctx, f, window{Sort: in.Sort, Descending: in.Order == "desc", Limit: &limit, Offset: offset})
	if err != nil {
		return nil, err
	}
	list := make([]Commitment, len(rows))
	for i := range rows {
		list[i] = Commitment{LP: rows[i].investor(), Investment: rows[i].shown()}
	}
	return &httpapi.Reply[commitmentsBody]{
		Body: commitmentsBody{Data: list, Meta: newListMeta(in.Input, a, t)}, Page: in.Links(t.Total), Free: t.Total == 0,
	}, nil
}

// HolderMeta describes the LPs of a fund or a manager.
type HolderMeta struct {
	page.Meta
	Commitments int `json:"commitments" doc:"Commitments of all LPs, not only those of the page." example:"3"`
	Committed   Sum `json:"committed" doc:"Sum of all commitments, not only those of the page."`
}

// SchemaName is its name in the OpenAPI document.
func (HolderMeta) SchemaName() string { return "LPHolderMeta" }

type holdersBody = httpapi.DataMeta[[]Holder, HolderMeta]

// FundLPsInput asks for the LPs of a fund.
type FundLPsInput struct {
	FundID string `path:"fund_id" pattern:"^805-[0-9]{10}$" patternDescription:"a Fund ID: 805- and 10 digits" example:"805-1234567890" doc:"The fund's ID in Form ADV."`
	page.Input
}

func (h *handlers) fundLPs(ctx context.Context, in *FundLPsInput) (*httpapi.Reply[holdersBody], error) {
	if err := h.store.isFund(ctx, in.FundID); err != nil {
		return nil, err
	}
	return h.holders(ctx, filter{FundID: in.FundID}, in.Input)
}

// GPLPsInput asks for the LPs of a manager.
type GPLPsInput struct {
	catalogapi.GPPath
	page.Input
}

func (h *handlers) gpLPs(ctx context.Context, in *GPLPsInput) (*httpapi.Reply[holdersBody], error) {
	if err := h.store.isGP(ctx, in.CRD); err != nil {
		return nil, err
	}
	return h.holders(ctx, filter{CRD: in.CRD}, in.Input)
}

// holders lists the LPs of the commitments that match, those with the largest sums first, unknown sums last.
func (h *handlers) holders(ctx context.Context, f filter, in page.Input) (*httpapi.Reply[holdersBody], error) {
	rows, t, err := h.store.commitments(ctx, f, window{Sort: "committed", Descending: true})
	if err != nil {
		return nil, err
	}
	all, at := []Holder{}, map[int64]int{}
	for i := range rows {
		r := &rows[i]
		n, known := at[r.LPID]
		if !known {
			n = len(all)
			at[r.LPID], all = n, append(all, Holder{LP: r.investor()})
		}
		all[n].Committed.add(r.Committed)
		all[n].Commitments = append(all[n].Commitments, r.shown())
	}
	slices.SortStableFunc(all, func(a, b Holder) int {
		return cmp.Or(compareSums(b.Committed.Sum, a.Committed.Sum), cmp.Compare(a.LP.ID, b.LP.ID))
	})
	limit, offset, _ := in.Window()
	meta := HolderMeta{Meta: in.Meta(len(all)), Commitments: t.Total, Committed: Sum{Sum: t.CommittedSum, Known: t.CommittedKnown}}
	from := min(offset, len(all))
	return &httpapi.Reply[holdersBody]{
		Body: holdersBody{Data: all[from:min(from+limit, len(all))], Meta: meta}, Page: in.Links(len(all)), Free: len(all) == 0,
	}, nil
}

// compareSums compares two sums; an unknown one is less than every known one.
func compareSums(a, b *int64) int {
	switch {
	case a == nil || b == nil:
		return cmp.Compare(btoi(a != nil), btoi(b != nil))
	default:
		return cmp.Compare(*a, *b)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
