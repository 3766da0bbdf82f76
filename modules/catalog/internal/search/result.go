package search

import (
	"strconv"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/wire"
)

// Unified is the results of the unified search.
type Unified struct {
	GPs   []GPHit   `json:"gps" doc:"Managers found, the best first."`
	Funds []FundHit `json:"funds" doc:"Funds found, the best first."`
}

// SchemaName is its name in the OpenAPI document.
func (Unified) SchemaName() string { return "UnifiedSearch" }

// GPHit is an adviser that was found.
type GPHit struct {
	ID          string  `json:"id" doc:"The CRD number." example:"900001"`
	CRD         string  `json:"crd" doc:"CRD number of the manager." example:"900001"`
	Name        string  `json:"name" doc:"Legal name (Form ADV, item 1.A)." example:"Harbor Ridge Capital Partners LLC"`
	Location    *string `json:"location" doc:"City and state, or city and country, of the main office. Null: not stated." example:"Boston, MA"`
	AUM         *int64  `json:"aum" doc:"USD." example:"2500000000"`
	CanonicalID int64   `json:"canonical_id" doc:"Shared by the advisers of one organization, as canonical_gp_id." example:"900001"`
	Type        string  `json:"type" enum:"gp" doc:"Always gp." example:"gp"`
}

// FundHit is a fund that was found.
type FundHit struct {
	ID          int64   `json:"id" doc:"Internal ID." example:"1024"`
	FundID      string  `json:"fund_id" doc:"Number of the fund (Schedule D, section 7.B.(1), item 1(b))." example:"805-1234567890"`
	Name        string  `json:"name" doc:"Name of the fund, as filed (item 1(a))." example:"Harbor Ridge Buyout Fund III, L.P."`
	Adviser     *string `json:"adviser" doc:"The adviser's legal name." example:"Harbor Ridge Capital Partners LLC"`
	VintageYear *int64  `json:"vintage_year" doc:"Year of the first sale by Form D, otherwise of the first filing that names the fund." example:"2019"`
	Type        string  `json:"type" enum:"fund" doc:"Always fund." example:"fund"`
}

// UnifiedMeta is the remarks on the results.
//
// Spec: not shown whether the counts are of the results returned or of all; the counts are of those returned, the totals
// beside them of all.
type UnifiedMeta struct {
	Query     string `json:"query" doc:"The text searched for." example:"harbor ridge"`
	GPCount   int    `json:"gp_count" doc:"Fund managers in this response." example:"1"`
	FundCount int    `json:"fund_count" doc:"Funds in this response." example:"5"`
	GPTotal   int    `json:"gp_total" doc:"Fund managers that match." example:"1"`
	FundTotal int    `json:"fund_total" doc:"Funds that match and are not closed." example:"12"`
}

// Proposal is one entry of the typeahead.
type Proposal struct {
	Text     string           `json:"text" doc:"The name." example:"Harbor Ridge Capital Partners LLC"`
	Type     string           `json:"type" enum:"gp,fund" doc:"What is proposed: a manager or a fund." example:"gp"`
	ID       any              `json:"id" doc:"CRD number (a string) of a fund manager, or internal ID (an integer) of a fund." example:"\"900001\""`
	Metadata ProposalMetadata `json:"metadata" doc:"What tells equal names apart."`
}

// SchemaName is its name in the OpenAPI document.
func (Proposal) SchemaName() string { return "AutocompleteProposal" }

// ProposalMetadata distinguishes proposals of one name.
type ProposalMetadata struct {
	CRD         string  `json:"crd,omitempty" doc:"Only for fund managers." example:"900001"`
	Location    *string `json:"location,omitempty" doc:"Only for fund managers, if known." example:"Boston, MA"`
	VintageYear *int64  `json:"vintage_year,omitempty" doc:"Only for funds, if known." example:"2019"`
}

// SchemaName is its name in the OpenAPI document.
func (ProposalMetadata) SchemaName() string { return "AutocompleteProposalMetadata" }

// QueryMeta is the remarks on proposals and suggestions.
type QueryMeta struct {
	Query string `json:"query" doc:"The text searched for." example:"aldr"`
	Count int    `json:"count" doc:"Entries in this response." example:"1"`
}

// SchemaName is its name in the OpenAPI document.
func (QueryMeta) SchemaName() string { return "SearchQueryMeta" }

// location is how a place is shown: city and state in the US, city and country elsewhere, as far as they are known.
func location(g *index.GP) string {
	second := g.Country
	if g.CountryCode == "US" && g.State != "" || second == "" {
		second = g.State
	}
	switch {
	case g.City == "":
		return second
	case second == "":
		return g.City
	}
	return g.City + ", " + second
}

func appendGP(dst []byte, g *index.GP) []byte {
	dst = wire.AppendString(append(dst, `{"id":`...), g.CRD)
	dst = wire.AppendString(append(dst, `,"crd":`...), g.CRD)
	dst = wire.AppendString(append(dst, `,"name":`...), g.LegalName)
	dst = wire.AppendKnown(append(dst, `,"location":`...), location(g))
	dst = index.AppendNumber(append(dst, `,"aum":`...), g.TotalAUM)
	dst = strconv.AppendInt(append(dst, `,"canonical_id":`...), g.CanonicalID, 10)
	return append(dst, `,"type":"gp"}`...)
}

func appendFund(dst []byte, s *index.Snapshot, id uint32) []byte {
	f := s.FundHead(id)
	dst = strconv.AppendInt(append(dst, `{"id":`...), f.ID, 10)
	dst = wire.AppendString(append(dst, `,"fund_id":`...), f.FundID)
	dst = wire.AppendString(append(dst, `,"name":`...), f.Name)
	adviser := ""
	if gp, ok := s.FundGP(id); ok {
		adviser = s.GP(gp).LegalName
	}
	dst = wire.AppendKnown(append(dst, `,"adviser":`...), adviser)
	dst = index.AppendNumber(append(dst, `,"vintage_year":`...), f.VintageYear)
	return append(dst, `,"type":"fund"}`...)
}

func appendProposal(dst []byte, s *index.Snapshot, h index.Hit) []byte {
	if h.Kind == index.KindGP {
		g := s.GP(h.ID)
		dst = wire.AppendString(append(dst, `{"text":`...), g.LegalName)
		dst = wire.AppendString(append(dst, `,"type":"gp","id":`...), g.CRD)
		dst = wire.AppendString(append(dst, `,"metadata":{"crd":`...), g.CRD)
		if place := location(g); place != "" {
			dst = wire.AppendString(append(dst, `,"location":`...), place)
		}
		return append(dst, `}}`...)
	}
	f := s.FundHead(h.ID)
	dst = wire.AppendString(append(dst, `{"text":`...), f.Name)
	dst = strconv.AppendInt(append(dst, `,"type":"fund","id":`...), f.ID, 10)
	dst = append(dst, `,"metadata":{`...)
	if f.VintageYear != index.Unknown {
		dst = strconv.AppendInt(append(dst, `"vintage_year":`...), f.VintageYear, 10)
	}
	return append(dst, `}}`...)
}
