package growth

import (
	"context"
	"strings"
	"time"

	"gpatlas/platform/database"
)

type store struct{ db *database.DB }

// growth is what is kept of a manager's growth over one horizon.
type growth struct {
	CRD     string
	Growth  *int64 // hundredths of a percent a year
	Before  *int64
	From    *time.Time `db:"from_day"`
	Latest  *int64
	To      *time.Time `db:"to_day"`
	Reasons int64
}

const growthSQL = `SELECT crd, aum_growth_$years$ AS growth, aum_before_$years$ AS before, aum_from_$years$ AS from_day,
	aum_latest AS latest, aum_to AS to_day, aum_growth_reasons::bigint AS reasons
FROM catalog.advisers WHERE crd = ANY (@crds)`

// find reads the growth of managers over the horizon at a place in horizons.
func (s *store) find(ctx context.Context, crds []string, horizon int) (map[string]growth, error) {
	list, err := database.Select[growth](ctx, s.db, "read growth", strings.ReplaceAll(growthSQL, "$years$", horizons[horizon]), database.Args{"crds": crds})
	kept := make(map[string]growth, len(list))
	for i := range list {
		kept[list[i].CRD] = list[i]
	}
	return kept, err
}
