package module

import "context"

// Exporter adds a part to the personal export.
type Exporter struct {
	Name string                                               // of the part in the document; no two have the same
	For  func(ctx context.Context, userID int64) (any, error) // returns what is stored about the person, for encoding in JSON
}

// Export makes an Exporter of a function of any type.
func Export[T any](name string, of func(ctx context.Context, userID int64) (T, error)) Exporter {
	return Exporter{name, func(ctx context.Context, userID int64) (any, error) { return of(ctx, userID) }}
}

// AccountListener is called when an account is deleted, or when it is purged, in the same transaction: keys are revoked, subscriptions are
// canceled. An error undoes the deletion. A deleted account may be recovered, so most parts wait for the purge.
type AccountListener func(ctx context.Context, userID int64) error

// Personal has the exporters and listeners of all modules. Module accounts exports and deletes through it. Other modules need
// module accounts, so it is filled after all of them are made, and before the first request or job.
type Personal struct {
	Exporters       []Exporter
	Deleted, Purged []AccountListener
}

// Fill adds what the modules provide.
func (p *Personal) Fill(manifests []Manifest) {
	for _, m := range manifests {
		p.Exporters = append(p.Exporters, m.Exporters...)
		p.Deleted = append(p.Deleted, m.Deleted...)
		p.Purged = append(p.Purged, m.Purged...)
	}
}
