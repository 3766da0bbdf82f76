package enrichment

import (
	"context"
	_ "embed"
	"strings"
	"time"

	"gpatlas/modules/people/internal/unread"
	"gpatlas/platform/database"
)

// info summarizes an adviser's enrichments.
type info struct {
	People     int64
	EnrichedAt *time.Time
	State      string
	Unfiled    bool // no document could have named people
}

//go:embed known.sql
var knownSQL string

var infoSQL = strings.Replace(`SELECT (SELECT count(*) FROM people.roster p WHERE p.crd = g.crd) AS people,
	f.last_at AS enriched_at,
	coalesce((SELECT e.state FROM people.enrichments e WHERE e.crd = g.crd ORDER BY e.created_at DESC, e.id LIMIT 1), 'none') AS state,
	{{unfiled}} AS unfiled
FROM catalog.pub_gp g LEFT JOIN people.enriched_firms f USING (crd) WHERE g.crd = @crd`, "{{unfiled}}", unread.UnfiledSQL, 1)

// Deletes profiles that are too old, and those of people that filings no longer name.
const forgetSQL = `DELETE FROM people.profiles p
WHERE p.updated_at < @before OR NOT EXISTS (
	SELECT FROM people.posts o
	WHERE o.person_uid = p.person_uid OR o.person_uid = (SELECT a.person_uid FROM people.aliases a WHERE a.uid = p.person_uid)
)`

const exportSQL = `SELECT e.id::text AS job_id, e.crd, e.state, a.asked_at FROM people.enrichment_askers a JOIN people.enrichments e ON e.id = a.enrichment_id
WHERE a.user_id = @user ORDER BY a.asked_at, e.id`

func (s *store) info(ctx context.Context, crd string) (*info, error) {
	return one(database.Select[info](ctx, s.db, "read about enrichments", infoSQL, database.Args{"crd": crd}))
}

func (s *store) known(ctx context.Context, crd string, since time.Time) ([]Known, error) {
	return database.Select[Known](ctx, s.db, "count what is known of people", knownSQL, database.Args{"crd": crd, "since": since})
}

// forget removes profiles and jobs that are too old.
func (s *store) forget(ctx context.Context, profilesBefore, jobsBefore time.Time) error {
	if _, err := database.Run(ctx, s.db, "remove old profiles", forgetSQL, database.Args{"before": profilesBefore}); err != nil {
		return err
	}
	return database.Failure("remove old enrichments", s.db.From(ctx).Where("finished_at < ?", jobsBefore).Delete(&jobRow{}).Error)
}

// forgetAccount removes what an account asked for.
func (s *store) forgetAccount(ctx context.Context, userID int64) error {
	return database.Failure("remove an account's enrichments", s.db.From(ctx).Where("user_id = ?", userID).Delete(&askerRow{}).Error)
}

// exported is a job in the export of an account.
type exported struct {
	JobID   string    `json:"job_id"`
	CRD     string    `json:"crd"`
	State   string    `json:"state"`
	AskedAt time.Time `json:"asked_at"`
}

func (s *store) askedBy(ctx context.Context, userID int64) ([]exported, error) {
	return database.Select[exported](ctx, s.db, "read an account's enrichments", exportSQL, database.Args{"user": userID})
}
