package provider

import (
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/modules/catalog/internal/panel"
	"gpatlas/platform/charge"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// Service lists providers.
type Service struct {
	index   *index.Holder
	db      *database.DB
	panels  *panel.Store
	history *history.Store
	clock   clock.Clock
	pricing struct{ league, changes charge.Pricing }
}

// NewService reads rows of filings from db, and finds which are one firm in the index.
func NewService(holder *index.Holder, db *database.DB, panels *panel.Store, filed *history.Store, clk clock.Clock) *Service {
	s := &Service{index: holder, db: db, panels: panels, history: filed, clock: clk}
	s.pricing.league, s.pricing.changes = charge.NewPricing(leagueMicros, charge.PerRequest), charge.NewPricing(changesMicros, charge.PerRequest)
	return s
}

// Part is what the slice offers.
func (s *Service) Part() module.Part { return module.Part{Routes: Routes(s)} }

// Asked selects roles.
type Asked struct {
	Role httpapi.Opt[string] `query:"role" example:"auditor,administrator" doc:"Roles to list: auditor, prime_broker, custodian, administrator, marketer. Separate several with commas. Default: all."`
}

func (in *Asked) roles() (roles []string, err error) {
	var c listing.Check
	if roles = c.Choices(index.Roles...)("role", in.Role); roles == nil {
		roles = index.Roles
	}
	return roles, c.Err()
}
