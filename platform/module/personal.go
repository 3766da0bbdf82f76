package module

import "context"

// Exporter adds a part to the personal export.
type Exporter interface {
	// ExportName is the part's name in the document. No two have the same.
	ExportName() string
	// ExportFor returns what is stored about the person, for encoding in JSON.
	ExportFor(ctx context.Context, userID int64) (any, error)
}

// AccountListener is called when an account is deleted or purged, in the same transaction: keys are revoked, subscriptions are
// canceled. An error undoes the deletion.
type AccountListener interface {
	AccountDeleted(ctx context.Context, userID int64) error
	AccountPurged(ctx context.Context, userID int64) error
}

// Personal has the exporters and listeners of all modules. Module accounts exports and deletes through it. Other modules need
// module accounts, so it is filled after all of them are made, and before the first request or job.
type Personal struct {
	Exporters []Exporter
	Listeners []AccountListener
}

// Fill adds what the modules provide.
func (p *Personal) Fill(manifests []Manifest) {
	for _, m := range manifests {
		p.Exporters = append(p.Exporters, m.Exporters...)
		p.Listeners = append(p.Listeners, m.Listeners...)
	}
}
