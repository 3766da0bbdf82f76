package catalogapi

import (
	"context"
	"time"
)

// Moment selects the filings that a response is based on. Its zero value selects all in the catalog.
type Moment struct {
	Day   time.Time // filed up to this day, inclusive (midnight UTC); zero: no limit
	Known time.Time // processed by GP Atlas up to this instant; zero: no limit
}

// Now reports whether no limit is set.
func (m Moment) Now() bool { return m.Day.IsZero() && m.Known.IsZero() }

// Point is one state of an adviser: as of a moment, or after one filing of its own.
type Point struct {
	Moment
	Accession string // when not empty, this filing and those before it; Day is then not read
}

// FilingRef names one filing. The tags here are the columns of stored histories.
type FilingRef struct {
	Accession     string
	FormType      string    `gorm:"column:form_type"`      // ADV, ADV/A, ADV-W, D, D/A
	AmendmentType string    `gorm:"column:amendment_type"` // initial, annual, material, withdrawal
	Source        Source    `gorm:"column:source"`
	FiledOn       time.Time `gorm:"column:filed_on"`
}

// AdviserState is an adviser by its filings up to and including Filing. Nil and empty mean that no filing states the value.
type AdviserState struct {
	Filing          FilingRef // the newest that it rests on
	CRD             string
	LegalName       string    `gorm:"column:legal_name"`
	City            string    `gorm:"column:city"`
	State           string    `gorm:"column:state"`
	Country         string    `gorm:"column:country"`
	Registration    string    `gorm:"column:registration"` // registered, exempt_reporting
	PrimaryStrategy string    `gorm:"column:primary_strategy"`
	TotalAUM        *int64    `gorm:"column:total_aum"` // USD
	EmployeeCount   *int64    `gorm:"column:employee_count"`
	FundCount       *int64    `gorm:"column:fund_count"` // funds not closed
	TotalGAV        *int64    `gorm:"column:total_gav"`  // USD, of those
	FirstFiledOn    time.Time `gorm:"column:first_filed_on"`
	WithdrawnOn     time.Time `gorm:"column:withdrawn_on"` // zero: it goes on

	// Unstated names fields in a timeline (total_aum, employee_count, city, state, country) that are not known because a
	// document has no column for them, and what was stated before no longer holds beside the rest.
	Unstated []string `gorm:"column:unstated"`
}

// FundState is a fund by its filings.
type FundState struct {
	FundID         string         `gorm:"column:fund_id"`
	Name           string         `gorm:"column:name"`
	Strategy       string         `gorm:"column:strategy"`
	Status         string         `gorm:"column:status"` // active, liquidating, closed
	VintageYear    int64          `gorm:"column:vintage_year"`
	VintageQuality VintageQuality `gorm:"column:vintage_quality"`
	GAV            *int64         `gorm:"column:gav"`            // USD
	FirstFiledOn   time.Time      `gorm:"column:first_filed_on"` // the first filing that reports it
	Vehicle        Vehicle        `gorm:"column:vehicle"`
	Values         []FundValue    // every value that its filings state, oldest first
}

// Vehicle marks a fund that holds what another fund holds: it is not a fund of its own where funds are counted or compared.
type Vehicle string

// The vehicles. A feeder is marked in the filing; a parallel vehicle is recognized by its name beside those of the adviser's other funds.
const (
	NoVehicle        Vehicle = ""
	FeederVehicle    Vehicle = "feeder"
	OwnFeederVehicle Vehicle = "own_feeder" // of another open fund of the adviser, with which its assets count
	ParallelVehicle  Vehicle = "parallel"
)

// FundValue is what one filing states of a fund's value.
type FundValue struct {
	FiledOn time.Time
	GAV     int64 // USD
}

// AdviserWithFunds is an adviser with all funds that are its own, closed ones too, by Fund ID.
type AdviserWithFunds struct {
	AdviserState
	Funds []FundState
}

// Field is one field of a detail answer under its JSON name: what diff compares. Value is nil, a string, a bool, an int64,
// a float64 or a []string.
type Field struct {
	Name  string
	Value any
}

// Record is everything that detail answers show of an adviser and its funds at one point, without what names the filing
// that the answer rests on.
type Record struct {
	Filing FilingRef
	Fields []Field      // in the order of the detail answer
	Funds  []FundRecord // by Fund ID
}

// FundRecord is one fund in a Record.
type FundRecord struct {
	FundID string
	Name   string
	Status string
	Fields []Field
}

// History answers what the filings of one adviser state over time, from the stored versions. Its errors are apperr's:
// NotFound with a public sentence for an adviser that is not known or was in no filing by then, Unavailable when the
// database is unavailable.
type History interface {
	// Course is the adviser as of a moment, and its Timeline up to then, both read at once.
	Course(ctx context.Context, crd string, at Moment) (AdviserWithFunds, []AdviserState, error)
	// Timeline is the adviser after each of its filings of Form ADV (an ADV-W too) that count at a moment, oldest first;
	// filings of one day in the order of their submission. The last state is that of AdviserWithFunds, except for values that
	// depend only on the day.
	Timeline(ctx context.Context, crd string, at Moment) ([]AdviserState, error)
	// Record is everything that detail answers show at a point.
	Record(ctx context.Context, crd string, at Point) (Record, error)
	// FindFund resolves a fund's address: its filed id or its internal one.
	FindFund(ctx context.Context, fundID string) (id, adviserCRD string, err error)
}
