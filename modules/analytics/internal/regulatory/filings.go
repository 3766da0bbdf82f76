package regulatory

import (
	"context"

	"gpatlas/modules/catalog/catalogapi"
)

// filingProvider is the provider that reads the disclosure pages of the loaded filings.
type filingProvider struct{ store *Store }

// Name is form_adv.
func (filingProvider) Name() string { return sourceFilings }

// Edition changes whenever a filing of the adviser was loaded or restated.
//
// Spec: not shown; the contract caches for 24 hours. If a filing loaded since then would change the answer, it is not served
// from the cache, because the service has the newer data.
func (f filingProvider) Edition(ctx context.Context, crd string) (string, error) {
	return f.store.editionOf(ctx, crd)
}

// Events joins the pages of all filings into events.
func (f filingProvider) Events(ctx context.Context, crd string) (Answer, error) {
	mentions, err := f.store.mentionsOf(ctx, crd)
	if err != nil {
		return Answer{}, err
	}
	whole, err := f.store.filingsOf(ctx, crd)
	if err != nil || len(mentions) == 0 {
		return Answer{Unstated: !catalogapi.StateDisclosures(whole)}, err
	}
	found := catalogapi.Matters(whole, mentions)
	shown := make([]catalogapi.DisclosurePlace, len(found))
	accessions := make([]string, 0, len(found))
	seen := make(map[string]bool)
	for i, m := range found {
		shown[i] = m.Newest.Place()
		if !seen[m.Named.Accession] {
			seen[m.Named.Accession] = true
			accessions = append(accessions, m.Named.Accession)
		}
	}
	pages, err := f.store.pagesOf(ctx, shown)
	if err != nil {
		return Answer{}, err
	}
	affiliates, err := f.store.affiliatesIn(ctx, accessions)
	if err != nil {
		return Answer{}, err
	}
	answer := Answer{Events: make([]Event, 0, len(found)), Unstated: !catalogapi.StateDisclosures(whole)}
	for _, m := range found {
		// A missing page was replaced since it was listed; the edition has changed with it, so the answer is not cached for
		// long.
		if p, ok := pages[m.Newest.Place()]; ok {
			answer.Events = append(answer.Events, pageToEvent(crd, m, p, affiliates, whole))
		}
	}
	return answer, nil
}
