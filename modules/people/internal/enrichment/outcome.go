package enrichment

import (
	"sync"

	"gpatlas/modules/people/internal/enrichment/provider"
	"gpatlas/modules/people/internal/unread"
)

// Outcome is what an enrichment found, in numbers only: names are sold elsewhere.
type Outcome struct {
	People    *int              `json:"people" nullable:"true" doc:"People of the manager's team and alumni about whom was asked. Null if it is unknown who they are: see reason." example:"9"`
	LeftOut   *int              `json:"people_left_out" nullable:"true" doc:"Further people, who are less senior, beyond the number that one enrichment asks about. Null if unknown." example:"0"`
	Reason    *string           `json:"reason" nullable:"true" doc:"Why the counts are null: no filing that could name people of the manager was loaded. Nothing was enriched then. Null if there are counts."`
	Fields    *FieldCounts      `json:"fields" doc:"Of how many of these people each field is known through enrichments of this manager. Null if unknown."`
	Providers []ProviderOutcome `json:"providers" doc:"What the filings and each provider said, in the order in which they were asked."`
}

// SchemaName is its name in the OpenAPI document.
func (Outcome) SchemaName() string { return "EnrichmentResult" }

// FieldCounts counts people by the fields that are known.
type FieldCounts struct {
	_ struct{} `nullable:"true"` // a pointer to it may be null

	Experience int `json:"experience" doc:"Employment. Filings always give some." example:"9"`
	Education  int `json:"education" doc:"People whose education a provider gave." example:"6"`
	Email      int `json:"email" doc:"Business email address." example:"5"`
	Phone      int `json:"phone" doc:"Business phone number." example:"2"`
	Location   int `json:"location" doc:"People whose location a provider gave." example:"6"`
	NetworkURL int `json:"professional_network_url" doc:"Profile in a professional network." example:"6"`
}

// SchemaName is its name in the OpenAPI document.
func (FieldCounts) SchemaName() string { return "EnrichmentFields" }

// ProviderOutcome is the outcome of one provider.
type ProviderOutcome struct {
	Name    string  `json:"name" doc:"filings, or the name of a provider." example:"filings"`
	Asked   int     `json:"asked" doc:"People about whom it was asked. Recent answers through this manager count without being asked for again." example:"9"`
	Found   int     `json:"found" doc:"People whom the provider knew." example:"9"`
	NoMatch int     `json:"no_match" doc:"People whom it does not know." example:"0"`
	Refused int     `json:"refused" doc:"Answers about a person of another name, which are not used." example:"0"`
	Failed  int     `json:"failed" doc:"Queries without a usable answer." example:"0"`
	Error   *string `json:"error" nullable:"true" enum:"limited,out_of_credit,unauthorized,malformed,away" doc:"Reason of the last failed query; null if none failed."`
}

// SchemaName is its name in the OpenAPI document.
func (ProviderOutcome) SchemaName() string { return "EnrichmentProvider" }

// unfiled is the outcome for an adviser whose people are unknown.
func unfiled() Outcome { return Outcome{Reason: new(unread.Unfiled), Providers: []ProviderOutcome{}} }

// tally counts while several people are asked about at once.
type tally struct {
	mu  sync.Mutex
	out Outcome
}

func newTally(providers []provider.Provider, leftOut int) *tally {
	t := &tally{out: Outcome{People: new(0), LeftOut: &leftOut, Fields: &FieldCounts{}, Providers: []ProviderOutcome{{Name: SourceFilings}}}}
	for _, p := range providers {
		t.out.Providers = append(t.out.Providers, ProviderOutcome{Name: p.Name()})
	}
	return t
}

// add counts one person.
func (t *tally) add(got *queryResults) {
	t.mu.Lock()
	defer t.mu.Unlock()
	*t.out.People++
	filings := &t.out.Providers[0]
	filings.Asked, filings.Found = filings.Asked+1, filings.Found+1
	t.out.Fields.Experience++
	for known, count := range map[string]*int{
		provider.Schools: &t.out.Fields.Education, provider.Email: &t.out.Fields.Email, provider.Phone: &t.out.Fields.Phone,
		provider.Location: &t.out.Fields.Location, provider.NetworkURL: &t.out.Fields.NetworkURL,
	} {
		if got.fields[known] {
			*count++
		}
	}
	for i := range t.out.Providers {
		p := &t.out.Providers[i]
		outcome, asked := got.outcomes[p.Name]
		if !asked {
			continue
		}
		p.Asked++
		switch outcome {
		case found:
			p.Found++
		case noMatch:
			p.NoMatch++
		case refused:
			p.Refused++
		default:
			p.Failed, p.Error = p.Failed+1, &outcome
		}
	}
}

// brief reports whether the outcome may change soon: a query had no usable answer, or the people are unknown.
func (o *Outcome) brief() bool { return o.Reason != nil || o.failed() }

// failed reports whether a query had no usable answer.
func (o *Outcome) failed() bool {
	for _, p := range o.Providers {
		if p.Failed > 0 {
			return true
		}
	}
	return false
}
