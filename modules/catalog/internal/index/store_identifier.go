package index

import (
	"context"
	"fmt"
	"hash/maphash"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/internal/index/rowfile"
)

const gpIdentifiersSQL = `SELECT crd, 'sec_number', sec_number FROM catalog.advisers WHERE sec_number IS NOT NULL
UNION ALL SELECT crd, 'lei', lei FROM catalog.advisers WHERE lei IS NOT NULL
UNION ALL SELECT crd, 'phone', phone FROM catalog.advisers WHERE phone IS NOT NULL
UNION ALL SELECT crd, 'domain', website_domain FROM catalog.advisers WHERE website_domain IS NOT NULL
UNION ALL SELECT DISTINCT crd, 'cik', value FROM catalog.identifiers WHERE kind = 'cik'`

const fundIdentifiersSQL = `SELECT fund_id, 'form_d', number FROM catalog.funds, unnest(form_d_file_numbers) number`

// keyed are the hashes of identifiers, with the keys of the records that have them.
type keyed struct {
	seed   maphash.Seed
	hashes []uint64
	keys   []string
}

// loadIdentifiers reads the identifiers of advisers or funds.
func loadIdentifiers(ctx context.Context, from rowfile.Querier, sql string, seed maphash.Seed) (list keyed, err error) {
	list.seed = seed
	err = eachIdentifier(ctx, from, sql, list.add)
	return list, err
}

func (k *keyed) add(key string, id identifier) {
	k.hashes, k.keys = append(k.hashes, id.hash(k.seed)), append(k.keys, key)
}

// eachIdentifier calls take with the identifiers of advisers or funds, as they are compared.
func eachIdentifier(ctx context.Context, from rowfile.Querier, sql string, take func(key string, id identifier)) error {
	rows, err := from.Query(ctx, sql)
	if err != nil {
		return fmt.Errorf("read identifiers: %w", err)
	}
	var key string
	var id identifier
	_, err = pgx.ForEachRow(rows, []any{&key, &id.scheme, &id.value}, func() error {
		switch id.scheme {
		case schemeSEC, schemeFormD:
			id.value = secKey(strings.TrimSpace(id.value))
		case schemeCIK:
			id.value = trimZeros(strings.TrimSpace(id.value))
		case schemePhone:
			id.value = phoneKey(id.value)
		}
		if id.value != "" {
			take(key, id)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read identifiers: %w", err)
	}
	return nil
}

// of are the identifiers of the records that an index has.
func (k *keyed) of(find func(key string) (uint32, bool)) identifiers {
	list := make([]identified, 0, len(k.keys))
	for i, key := range k.keys {
		if rec, ok := find(key); ok {
			list = append(list, identified{k.hashes[i], rec})
		}
	}
	return newIdentifiers(list, k.seed)
}
