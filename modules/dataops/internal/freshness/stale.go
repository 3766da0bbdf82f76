package freshness

import (
	"context"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
)

// Ages are how old data may be before it is stale.
type Ages struct {
	Person time.Duration // of the last enrichment of the person's advisers
	Board  time.Duration // of the last successful reading
}

// StaleEntity is a GP, person or job board whose data is old.
type StaleEntity struct {
	// Spec: not shown; the fields of people and boards are beyond the contract.
	EntityType         string     `json:"entity_type" enum:"gp,person,board" doc:"Type of the entity." example:"gp"`
	CRD                string     `json:"crd" doc:"CRD number of the GP; for a person, of the GP that filings named the person for last." example:"998243"`
	LegalName          *string    `json:"legal_name" doc:"Legal name of that GP; null if it is no longer in the catalog." example:"Aldergate Infrastructure Partners LLC"`
	RegistrationStatus *string    `json:"registration_status" doc:"registered or exempt_reporting; null for other entities than GPs." example:"registered"`
	TotalAUM           *int64     `json:"total_aum" doc:"Assets under management, in USD; null for other entities than GPs." example:"1200000000"`
	NewestFiling       *string    `json:"newest_filing_date" format:"date" doc:"Day of the newest filing; null for other entities than GPs." example:"2025-03-28"`
	PersonUID          *string    `json:"person_uid" doc:"UID of the person; null for other entities." example:"per_abcdefghijklmnop"`
	FullName           *string    `json:"full_name" doc:"Name of the person; null for other entities." example:"Ada Larkspur"`
	Vendor             *string    `json:"vendor" doc:"Vendor of the job board; null for other entities." example:"greenhouse"`
	Token              *string    `json:"token" doc:"Token of the job board; null for other entities." example:"aldergate"`
	LastSuccess        *time.Time `json:"last_success" doc:"When one of the person's GPs was last enriched, or the job board last read (UTC). Null for a GP, and for a board that was never read." example:"2026-03-01T07:15:09.000000Z"`
	LastError          *string    `json:"last_error" doc:"Why the last reading of the job board failed; null if it did not, and for other entities." example:"the board is gone: 404"`
	Days               int64      `json:"days" doc:"Full days since the newest filing or the last success; for a board that was never read, since it was added." example:"604"`
}

// SchemaName is its name in the OpenAPI document.
func (StaleEntity) SchemaName() string { return "StaleEntity" }

// StaleMeta is how many entities are stale, and from which age.
type StaleMeta struct {
	EntityType   string     `json:"entity_type" enum:"gp,person,board" doc:"Type of the entities." example:"gp"`
	Total        int64      `json:"total" doc:"Stale entities of the type in all." example:"4"`
	Limit        int        `json:"limit" doc:"Maximum number of entities in this response." example:"100"`
	FiledBefore  *string    `json:"filed_before" format:"date" doc:"GPs are stale whose newest filing is from before this day; null for other types." example:"2025-08-22"`
	SuccessUntil *time.Time `json:"success_until" doc:"People and job boards are stale whose last success is from this time (UTC) or before; null for GPs." example:"2026-05-26T08:15:00.000000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (StaleMeta) SchemaName() string { return "StaleEntityMeta" }

// StaleInput selects entities.
type StaleInput struct {
	// Spec: not shown; the contract has no type.
	EntityType httpapi.Opt[string] `query:"entity_type" enum:"gp,person,board" example:"gp" doc:"Type of the entities (default gp)."`
	Limit      httpapi.Opt[int]    `query:"limit" minimum:"1" maximum:"1000" example:"100" doc:"Entities to return, 1 to 1,000 (default 100)."`
}

const defaultStale = 100

func (s *Service) stale(ctx context.Context, in *StaleInput) (*httpapi.Reply[staleBody], error) {
	meta := StaleMeta{EntityType: in.EntityType.Or(GP), Limit: in.Limit.Or(defaultStale)}
	read := map[string]func(context.Context, *StaleMeta) ([]StaleEntity, error){
		GP: s.staleManagers, Person: s.stalePersons, Board: s.staleBoards,
	}[meta.EntityType]
	list, err := read(ctx, &meta)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[staleBody]{Body: staleBody{Data: list, Meta: meta}}, nil
}

func (s *Service) staleManagers(ctx context.Context, meta *StaleMeta) ([]StaleEntity, error) {
	before, today := s.before()
	list, err := s.store.stale(ctx, before, today, meta.Limit)
	if err != nil {
		return nil, err
	}
	counts, err := s.store.managers(ctx, before)
	if err != nil {
		return nil, err
	}
	meta.Total, meta.FiledBefore = counts.Stale, new(before.Format(time.DateOnly))
	out := make([]StaleEntity, len(list))
	for i, m := range list {
		out[i] = StaleEntity{
			EntityType: GP, CRD: m.CRD, LegalName: &m.LegalName, RegistrationStatus: m.RegistrationStatus, TotalAUM: m.TotalAUM,
			NewestFiling: new(m.NewestFiledOn.Format(time.DateOnly)), Days: m.Days,
		}
	}
	return out, nil
}

// stalePersons reads the people through their module. Without it there are none.
func (s *Service) stalePersons(ctx context.Context, meta *StaleMeta) ([]StaleEntity, error) {
	now := s.clock.Now().UTC()
	meta.SuccessUntil = new(now.Add(-s.ages.Person))
	if s.people == nil {
		return []StaleEntity{}, nil
	}
	list, total, err := s.people.StalePersons(ctx, *meta.SuccessUntil, meta.Limit)
	if err != nil {
		return nil, err
	}
	meta.Total = total
	out := make([]StaleEntity, len(list))
	for i, p := range list {
		out[i] = StaleEntity{
			EntityType: Person, CRD: p.CRD, LegalName: catalogapi.Text(p.Firm), PersonUID: &p.PersonUID, FullName: &p.FullName,
			LastSuccess: clock.UTC(&p.EnrichedAt), Days: days(now, p.EnrichedAt),
		}
	}
	return out, nil
}

// staleBoards reads the job boards through the module of people. Without it there are none.
func (s *Service) staleBoards(ctx context.Context, meta *StaleMeta) ([]StaleEntity, error) {
	now := s.clock.Now().UTC()
	meta.SuccessUntil = new(now.Add(-s.ages.Board))
	if s.people == nil {
		return []StaleEntity{}, nil
	}
	list, total, err := s.people.StaleBoards(ctx, *meta.SuccessUntil, meta.Limit)
	if err != nil {
		return nil, err
	}
	meta.Total = total
	out := make([]StaleEntity, len(list))
	for i, b := range list {
		since := b.AddedAt
		if b.SucceededAt != nil {
			since = *b.SucceededAt
		}
		out[i] = StaleEntity{
			EntityType: Board, CRD: b.CRD, LegalName: catalogapi.Text(b.Firm), Vendor: &b.Vendor, Token: &b.Token, LastSuccess: clock.UTC(b.SucceededAt),
			LastError: b.Failure, Days: days(now, since),
		}
	}
	return out, nil
}

func days(now, since time.Time) int64 { return int64(now.Sub(since) / (24 * time.Hour)) }
