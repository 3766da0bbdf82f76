package person

import (
	"context"
	"time"

	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/database"
)

// aged is a person with the newest enrichment.
type aged struct {
	PersonUID  string
	EnrichedAt time.Time
	Total      int64 // of all such people
}

// People without an adviser that was enriched after a time, with the newest enrichment.
const staleSQL = `SELECT p.person_uid, max(f.last_at) AS enriched_at, count(*) OVER () AS total
FROM people.posts p JOIN people.enriched_firms f USING (crd)
GROUP BY p.person_uid HAVING max(f.last_at) <= @until
ORDER BY enriched_at, p.person_uid LIMIT @limit`

// Stale returns up to limit people without an adviser that was enriched after a time, the oldest first, and how many there are
// in all.
func (s *Store) Stale(ctx context.Context, until time.Time, limit int) (list []peopleapi.StalePerson, total int64, err error) {
	rows, err := database.Select[aged](ctx, s.db, "list stale people", staleSQL, database.Args{"until": until, "limit": limit})
	if err != nil || len(rows) == 0 {
		return nil, 0, err
	}
	uids := make([]string, len(rows))
	for i, r := range rows {
		uids[i] = r.PersonUID
	}
	heads, err := s.Heads(ctx, uids)
	if err != nil {
		return nil, 0, err
	}
	for _, r := range rows {
		h, ok := heads[r.PersonUID]
		if !ok { // suppressed or merged at this moment
			continue
		}
		list = append(list, peopleapi.StalePerson{PersonUID: r.PersonUID, FullName: h.FullName, CRD: h.CRD, Firm: h.Firm, EnrichedAt: r.EnrichedAt})
	}
	return list, rows[0].Total, nil
}
