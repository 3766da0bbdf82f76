// Package owner lists the owners of a manager (Schedules A and B of Form ADV): firms in full, natural persons without a name.
package owner

import (
	"fmt"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/panel"
)

// Owner is a row of the schedules. Nothing that could say who a person is belongs here: module people sells that.
type Owner struct {
	Row          int                  `json:"row" doc:"Number of the row in the schedules of this filing, from 1." example:"1"`
	Schedule     string               `json:"schedule" enum:"A,B" doc:"A: direct owners and executive officers of the manager. B: owners of its owners." example:"A"`
	Kind         string               `json:"kind" enum:"entity,person" doc:"entity: a firm or vehicle. person: an individual, whose name, title, dates and ID are sold by GET /v1/gps/{crd}/owners/persons." example:"entity"`
	Name         *string              `json:"name" doc:"Name as filed. Null for a person, and if it is withheld." example:"Harbor Ridge Holdings, L.P."`
	NameWithheld *string              `json:"name_withheld,omitempty" enum:"names_a_person" doc:"Why the name of an entity is null: it names or may name a person, as the names of trusts, estates and family vehicles do."`
	CRD          *string              `json:"crd" doc:"CRD or IAPD number of the entity. Null: not filed, or there is no name." example:"900321"`
	Acquired     *string              `json:"acquired" doc:"Month, or year, in which the entity got its status. Null: not filed, or there is no name." example:"2012-03"`
	Ownership    catalogapi.Ownership `json:"ownership" doc:"Share in the manager (Schedule A) or in the entity of owns_row (Schedule B)."`
	Control      *bool                `json:"control" doc:"True if the owner controls the manager (control person). Null: not stated." example:"true"`
	OwnsRow      *int                 `json:"owns_row" doc:"For Schedule B, the row of the entity in which the share is held; the first of them if several have its name. Null: Schedule A, or no row has this name." example:"1"`
	Effective    catalogapi.Percents  `json:"effective" doc:"Share in the manager itself: the shares of the chain, multiplied. Unknown (null) if a link of the chain has no percentages, if its entity is in no row or in several, or if the chain is a loop."`
}

// Meta is the remarks on the list.
type Meta struct {
	panel.Meta
	Entities   int `json:"entities" doc:"Rows of entities in the whole list." example:"1"`
	Persons    int `json:"persons" doc:"Rows of persons in the whole list." example:"3"`
	Withheld   int `json:"withheld" doc:"Entities whose name is withheld." example:"0"`
	Unresolved int `json:"unresolved" doc:"Rows of Schedule B whose entity is in no row." example:"0"`
}

// SchemaName is its name in the OpenAPI document.
func (Meta) SchemaName() string { return "OwnersMeta" }

// span is a share in percent: at least the first, at most the second.
type span [2]float64

// codes are the shares that the codes of ownership state.
var codes = map[string]span{"NA": {0, 5}, "A": {5, 10}, "B": {10, 25}, "C": {25, 50}, "D": {50, 75}, "E": {75, 100}}

// percents shows a share; known is false if there is none.
func percents(share span, known bool) catalogapi.Percents {
	if !known {
		return catalogapi.Percents{}
	}
	return catalogapi.Percents{MinPercent: &share[0], MaxPercent: &share[1]}
}

func ownershipOf(code *string) catalogapi.Ownership {
	share, known := codes[catalogapi.TextOf(code)]
	return catalogapi.Ownership{Code: code, Percents: percents(share, known)}
}

// filed is a row of catalog.owners.
type filed struct {
	Schedule      string  `json:"schedule"`
	Name          string  `json:"name"`
	EntityType    *string `json:"entity_type"`
	Title         *string `json:"title"`
	OwnedEntity   *string `json:"owned_entity"`
	AcquiredYear  *int    `json:"acquired_year"`
	AcquiredMonth *int    `json:"acquired_month"`
	OwnershipCode *string `json:"ownership_code"`
	ControlPerson *bool   `json:"control_person"`
	OwnerID       *string `json:"owner_id"`
}

// person reports whether a row is of a natural person.
func (f *filed) person() bool { return derive.OwnsAsPerson(f.Name, f.EntityType) }

// acquired is the month of a status, or its year if no month was filed.
func (f *filed) acquired() *string {
	switch {
	case f.AcquiredYear == nil:
		return nil
	case f.AcquiredMonth == nil:
		return new(fmt.Sprintf("%04d", *f.AcquiredYear))
	default:
		return new(fmt.Sprintf("%04d-%02d", *f.AcquiredYear, *f.AcquiredMonth))
	}
}
