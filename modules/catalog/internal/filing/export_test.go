package filing

import "context"

// PageOf reads the newest filings of managers.
func (s *Store) PageOf(ctx context.Context, crds []string) (accessions []string, err error) {
	rows, err := s.page(ctx, &marketQuery{crds: crds, limit: 100})
	for i := range rows {
		accessions = append(accessions, rows[i].Accession)
	}
	return accessions, err
}
