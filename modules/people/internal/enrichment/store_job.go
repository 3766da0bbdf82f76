package enrichment

import "time"

// jobRow is a row of people.enrichments.
type jobRow struct {
	ID         string     `gorm:"column:id;primaryKey"`
	CRD        string     `gorm:"column:crd"`
	State      string     `gorm:"column:state"`
	CreatedAt  time.Time  `gorm:"column:created_at"`
	StartedAt  *time.Time `gorm:"column:started_at"`
	FinishedAt *time.Time `gorm:"column:finished_at"`
	LeaseUntil time.Time  `gorm:"column:lease_until"`
	Runs       int32      `gorm:"column:runs"`
	Error      *string    `gorm:"column:error"`
	Outcome    []byte     `gorm:"column:outcome;type:jsonb"`
}

// TableName is where jobs are kept.
func (jobRow) TableName() string { return "people.enrichments" }

// askerRow is a row of people.enrichment_askers.
type askerRow struct {
	EnrichmentID string    `gorm:"column:enrichment_id;primaryKey"`
	UserID       int64     `gorm:"column:user_id;primaryKey"`
	AskedAt      time.Time `gorm:"column:asked_at"`
	Started      bool      `gorm:"column:started"`
}

// TableName is where it is kept who asked for a job.
func (askerRow) TableName() string { return "people.enrichment_askers" }

// firmRow is a row of people.enriched_firms.
type firmRow struct {
	CRD     string    `gorm:"column:crd;primaryKey"`
	FirstAt time.Time `gorm:"column:first_at"`
	LastAt  time.Time `gorm:"column:last_at"`
}

// TableName is where advisers are kept of which an enrichment has completed.
func (firmRow) TableName() string { return "people.enriched_firms" }

// Models are the structures that mirror tables, for the test that compares the two.
func Models() []any { return []any{profileRow{}, jobRow{}, askerRow{}, firmRow{}} }
