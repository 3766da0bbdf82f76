// Package override is the register of operators' overrides: who corrected what, why, from which day on, and until when. It stores
// them; the modules that have the data apply them.
package override

import (
	"encoding/json"
	"time"
)

// Entry is an override.
type Entry struct {
	ID        int64           `json:"id" doc:"ID of the override." example:"4"`
	Type      string          `json:"override_type" enum:"gp_field,canonical_group,fund_status,person_merge,person_split,person_suppress,lp_match" doc:"What is corrected." example:"gp_field"`
	EntityID  string          `json:"entity_id" doc:"CRD number, fund ID, person ID or ID of an LP's investment." example:"998243"`
	Field     *string         `json:"field" doc:"Field that is corrected; null for a type without fields." example:"website"`
	Value     json.RawMessage `json:"value" doc:"The right value, in the form in which it is in force: an address has its scheme, a text has no spaces around it." example:"\"https://www.aldergate.example\""`
	Original  json.RawMessage `json:"original" doc:"The value just before the override was created: that of the filings, with the other overrides that were active then. It has the JSON type of value, or is null." example:"\"https://www.aldergate-old.example\""`
	Reason    string          `json:"reason" doc:"Why it is corrected." example:"The firm moved to another domain"`
	ValidFrom string          `json:"valid_from" db:"-" format:"date" doc:"First day on which the value holds." example:"2026-11-22"`
	ValidOn   time.Time       `json:"-"`
	Active    bool            `json:"active" doc:"Whether the override is in force." example:"true"`
	CreatedAt time.Time       `json:"created_at" doc:"When it was created (UTC)." example:"2026-11-22T08:20:00.000000Z"`
	CreatedBy *int64          `json:"created_by" doc:"Account that created it; null if a command did." example:"3"`
	RemovedAt *time.Time      `json:"removed_at" doc:"When it was deleted (UTC); null while it is in force." example:"2026-11-23T09:00:00.000000Z"`
	RemovedBy *int64          `json:"removed_by" doc:"Account that deleted it; null while it is in force." example:"3"`
}

// SchemaName is its name in the OpenAPI document.
func (Entry) SchemaName() string { return "Override" }

// Meta counts the overrides.
type Meta struct {
	Total int `json:"total" doc:"Overrides in this response: all that match." example:"1"`
}

// SchemaName is its name in the OpenAPI document.
func (Meta) SchemaName() string { return "OverrideMeta" }
