package identity

import (
	"context"
	_ "embed"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/people/internal/unread"
	"gpatlas/platform/database"
)

// lockKey is the advisory lock of resolutions; the number is arbitrary.
const lockKey = 0x6770_7065_6f70_6c65

type store struct{ db *database.DB }

// Models are the structs that mirror tables, for the test that compares the two.
func Models() []any {
	return []any{post{}, firm{}, alias{}, suppression{}, hold{}, decision{}, unit{}, origin{}}
}

// alias is a row of people.aliases.
type alias struct {
	UID       string  `gorm:"column:uid;primaryKey"`
	RuleUID   *string `gorm:"column:rule_uid" db:"-"` // the uid it leads to by the rules; nil: it is a unit
	PersonUID string  `gorm:"column:person_uid"`
}

// TableName is the table with its schema.
func (alias) TableName() string { return "people.aliases" }

// formers are the former uids that lead to one.
func (s *store) formers(ctx context.Context, uid string) ([]string, error) {
	const statement = "SELECT uid FROM people.aliases WHERE person_uid = @uid ORDER BY uid"
	return database.Values[string](ctx, s.db, "read former uids", statement, database.Args{"uid": uid})
}

// mark is the position up to which the catalog was read.
type mark struct {
	ProcessedAt time.Time
	Arrival     int64
}

// exclusively runs fn in a transaction, one at a time.
func (s *store) exclusively(ctx context.Context, fn func(ctx context.Context) error) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		for _, statement := range []string{
			"SET LOCAL statement_timeout = 0", "SET LOCAL idle_in_transaction_session_timeout = 0", "SET LOCAL jit = off",
			"SET LOCAL random_page_cost = 1.1", "SET LOCAL work_mem = '64MB'",
		} {
			if _, err := database.Run(ctx, s.db, "set up a resolution", statement, database.Args{}); err != nil {
				return err
			}
		}
		const lock = "SELECT pg_advisory_xact_lock(@key)"
		if _, err := database.Run(ctx, s.db, "wait for other resolutions", lock, database.Args{"key": int64(lockKey)}); err != nil {
			return err
		}
		return fn(ctx)
	})
}

// progress is where the last resolution ended; the zero position before the first.
func (s *store) progress(ctx context.Context) (mark, error) {
	const statement = "SELECT processed_at, arrival FROM people.progress"
	rows, err := database.Select[mark](ctx, s.db, "read the progress of resolutions", statement, database.Args{})
	if err != nil || len(rows) == 0 {
		return mark{}, err
	}
	return rows[0], nil
}

const touchedSQL = unread.FirmsSQL + ` SELECT DISTINCT crd FROM unread ORDER BY 1`

// touched returns the advisers with new documents, sorted, and the position up to which they were read. Documents of a load
// that commits meanwhile may be included; they are then returned again the next time.
func (s *store) touched(ctx context.Context, since mark) (now mark, crds []string, err error) {
	const statement = "SELECT max(known_at) AS processed_at, max(arrival) AS arrival FROM catalog.pub_arrival HAVING count(*) > 0"
	marks, err := database.Select[mark](ctx, s.db, "read the newest arrival", statement, database.Args{})
	if err != nil || len(marks) == 0 {
		return since, nil, err
	}
	now = marks[0]
	if now.Arrival == since.Arrival && now.ProcessedAt.Equal(since.ProcessedAt) {
		return since, nil, nil // nothing was published
	}
	crds, err = database.Values[string](ctx, s.db, "find advisers with news", touchedSQL, nil)
	return now, crds, err
}

const advanceSQL = `INSERT INTO people.progress (processed_at, arrival) VALUES (@processed, @arrival)
ON CONFLICT (only_row) DO UPDATE SET processed_at = excluded.processed_at, arrival = excluded.arrival`

func (s *store) advance(ctx context.Context, from, to mark) error {
	if from == to {
		return nil
	}
	_, err := database.Run(ctx, s.db, "note the progress of resolutions", advanceSQL, database.Args{"processed": to.ProcessedAt, "arrival": to.Arrival})
	return err
}

// Schedules A and B of the filings of some advisers, in the order of filings.
const ownersSQL = `SELECT f.crd, o.accession, o.filing_date, o.schedule, o.entity_type, o.name, coalesce(o.title, '') AS title,
	coalesce(o.acquired_year, 0) AS acquired_year, coalesce(o.acquired_month, 0) AS acquired_month, coalesce(o.owner_id, '') AS owner_id
FROM catalog.pub_filing f JOIN catalog.pub_owner o ON o.accession = f.accession
WHERE f.crd = ANY (@crds)
ORDER BY f.crd, o.version_order, o.schedule, o.seq`

func (s *store) owners(ctx context.Context, crds []string) ([]ownerRow, error) {
	return database.Select[ownerRow](ctx, s.db, "read owners and officers", ownersSQL, database.Args{"crds": crds})
}

// People named in Form D notices of the funds of some advisers, without firms and mere promoters, in the order of notices.
const noticesSQL = `SELECT d.adviser_crd AS crd, p.accession, p.filing_date, coalesce(p.first_name, '') AS first_name, coalesce(p.middle_name, '') AS middle_name,
	p.last_name, coalesce(p.city, '') AS city, coalesce(p.state, '') AS state, coalesce(p.clarification, '') AS clarification,
	coalesce(p.relationships, '{}') AS relationships
FROM (SELECT DISTINCT adviser_crd, accession FROM catalog.pub_offering WHERE adviser_crd = ANY (@crds)) d
JOIN catalog.pub_offering_person p USING (accession)
WHERE NOT p.entity AND p.relationships IS DISTINCT FROM '{Promoter}'
ORDER BY d.adviser_crd, p.filing_date, p.accession, p.seq`

func (s *store) notices(ctx context.Context, crds []string) ([]noticeRow, error) {
	return database.Select[noticeRow](ctx, s.db, "read related persons", noticesSQL, database.Args{"crds": crds})
}

// columns of people.posts in the order of values.
var columns = []string{
	"crd", "sight_uid", "person_uid", "number", "last_key", "first_key", "full_name", "title", "acquired_on", "named_from", "named_until",
	"left_before", "standing", "source", "city", "state", "sighted_in", "rule_uid",
	"acquired_year_only", "joined_after", "joined_before", "joined_monthly",
}

func (p *post) values() []any {
	return []any{
		p.CRD, p.SightUID, p.PersonUID, p.Number, p.LastKey, p.FirstKey, p.FullName, p.Title, p.AcquiredOn, p.NamedFrom, p.NamedUntil,
		p.LeftBefore, p.Standing, p.Source, p.City, p.State, p.SightedIn, p.RuleUID, p.AcquiredYearOnly,
		p.JoinedAfter, p.JoinedBefore, p.JoinedMonthly,
	}
}

// begin creates the temporary tables of a resolution.
func (s *store) begin(ctx context.Context) error {
	for _, statement := range []string{
		"CREATE TEMPORARY TABLE r_post (LIKE people.posts) ON COMMIT DROP",
		"CREATE TEMPORARY TABLE r_firm (LIKE people.firms) ON COMMIT DROP",
		"CREATE TEMPORARY TABLE r_number (number text COLLATE \"C\") ON COMMIT DROP",
		"CREATE TEMPORARY TABLE r_name (crd text, uid text, sight_uid text) ON COMMIT DROP",
		makeBeforeSQL,
	} {
		if _, err := database.Run(ctx, s.db, "make the tables of a resolution", statement, database.Args{}); err != nil {
			return err
		}
	}
	return nil
}

//go:embed write.sql
var writeSQL string

const makeBeforeSQL = `CREATE TEMPORARY TABLE r_before (
	crd text, sight_uid text, person_uid text, rule_uid text, last_key text, first_key text, name_hash text
) ON COMMIT DROP`

// The people before, for the aliases.
const noteBeforeSQL = `INSERT INTO r_before SELECT crd, sight_uid, person_uid, rule_uid, last_key, first_key FROM people.posts WHERE crd = ANY (@crds)`

// People kept out by suppressions before: their uids become aliases like those of others.
const noteHiddenSQL = `INSERT INTO r_before (crd, sight_uid, person_uid, rule_uid, name_hash)
SELECT crd, sight_uid, person_uid, rule_uid, name_hash FROM people.suppressed_at WHERE sight_uid <> ''`

// Numbers of people that the rules joined with a person who was kept out.
const noteHiddenNumbersSQL = `INSERT INTO r_number
SELECT p.number FROM people.posts p WHERE p.number IS NOT NULL AND p.rule_uid IN (SELECT rule_uid FROM people.suppressed_at)`

// Numbers whose people may change: those of the advisers before and now.
const noteNumbersSQL = `INSERT INTO r_number
SELECT number FROM people.posts WHERE crd = ANY (@crds) AND number IS NOT NULL
UNION SELECT number FROM r_post WHERE number IS NOT NULL`

const removeSQL = `DELETE FROM people.posts p WHERE p.crd = ANY (@crds)
AND NOT EXISTS (SELECT FROM r_post r WHERE r.crd = p.crd AND r.sight_uid = p.sight_uid)`

const removeFirmsSQL = `DELETE FROM people.firms f WHERE f.crd = ANY (@crds) AND NOT EXISTS (SELECT FROM r_firm r WHERE r.crd = f.crd)`

const writeFirmsSQL = `INSERT INTO people.firms AS f SELECT * FROM r_firm
ON CONFLICT (crd) DO UPDATE SET schedules = excluded.schedules, schedules_from = excluded.schedules_from,
	schedules_until = excluded.schedules_until, notices = excluded.notices, notices_until = excluded.notices_until
WHERE (f.schedules, f.schedules_from, f.schedules_until, f.notices, f.notices_until)
	IS DISTINCT FROM (excluded.schedules, excluded.schedules_from, excluded.schedules_until, excluded.notices, excluded.notices_until)`

// write updates the stored posts of some advisers to what was read.
func (s *store) write(ctx context.Context, crds []string, posts []post, firms []firm) error {
	var names [][]any
	for i := range posts {
		for _, uid := range posts[i].names {
			names = append(names, []any{posts[i].CRD, uid, posts[i].SightUID})
		}
	}
	err := s.db.Conn(ctx, func(c *pgx.Conn) error {
		_, err := c.CopyFrom(ctx, pgx.Identifier{"r_post"}, columns, pgx.CopyFromSlice(len(posts), func(i int) ([]any, error) { return posts[i].values(), nil }))
		if err != nil {
			return err
		}
		if _, err = c.CopyFrom(ctx, pgx.Identifier{"r_name"}, []string{"crd", "uid", "sight_uid"}, pgx.CopyFromRows(names)); err != nil {
			return err
		}
		_, err = c.CopyFrom(ctx, pgx.Identifier{"r_firm"},
			[]string{"crd", "schedules", "schedules_from", "schedules_until", "notices", "notices_until"},
			pgx.CopyFromSlice(len(firms), func(i int) ([]any, error) {
				f := &firms[i]
				return []any{f.CRD, f.Schedules, f.SchedulesFrom, f.SchedulesUntil, f.Notices, f.NoticesUntil}, nil
			}))
		return err
	})
	if err != nil {
		return database.Failure("copy posts", err)
	}
	return s.steps(ctx, database.Args{"crds": crds}, []step{
		{"note who was there", noteBeforeSQL},
		{"note numbers", noteNumbersSQL},
		{"remove posts", removeSQL},
		{"write posts", writeSQL},
		{"remove figures of advisers", removeFirmsSQL},
		{"write figures of advisers", writeFirmsSQL},
		{"empty the table of posts", "TRUNCATE r_post, r_firm"},
	})
}

type step struct{ what, statement string }

func (s *store) steps(ctx context.Context, args database.Args, list []step) error {
	for _, x := range list {
		if _, err := database.Run(ctx, s.db, x.what, x.statement, args); err != nil {
			return err
		}
	}
	return nil
}

//go:embed alias.sql
var aliasSQL string

// Posts of other advisers that share a number with one of these, and those that decisions have moved.
const noteNumberedSQL = `INSERT INTO r_before
SELECT p.crd, p.sight_uid, p.person_uid, p.rule_uid, p.last_key, p.first_key FROM people.posts p
WHERE p.number IN (SELECT number FROM r_number) OR p.person_uid <> p.rule_uid`

const assignUnnumberedSQL = `UPDATE people.posts p SET rule_uid = p.sight_uid, person_uid = p.sight_uid FROM (SELECT DISTINCT crd FROM r_before) b
WHERE p.crd = b.crd AND p.number IS NULL AND p.rule_uid <> p.sight_uid`

const undecideSQL = `UPDATE people.posts SET person_uid = rule_uid WHERE person_uid <> rule_uid`

const unaliasSQL = `DELETE FROM people.aliases a WHERE EXISTS (SELECT FROM people.posts p WHERE p.person_uid = a.uid)
OR a.rule_uid <> a.uid AND EXISTS (SELECT FROM people.posts p WHERE p.rule_uid = a.uid)`

const realiasSQL = `UPDATE people.aliases a SET rule_uid = b.rule_uid FROM people.aliases b WHERE a.rule_uid = b.uid`

// assign sets the people of posts, by the rules and then by the operator's decisions, and stores replaced uids as aliases.
func (s *store) assign(ctx context.Context) error {
	if err := s.steps(ctx, database.Args{}, []step{{"note who has a number", noteNumberedSQL}}); err != nil {
		return err
	}
	if err := s.assignNumbered(ctx); err != nil {
		return err
	}
	err := s.steps(ctx, database.Args{}, []step{
		{"assign uids", assignUnnumberedSQL},
		{"lift decisions", undecideSQL},
		{"keep former uids", strings.Replace(aliasSQL, "{{name hash}}", nameHashSQL, 1)},
		{"drop former uids that are back", unaliasSQL},
		{"follow former uids", realiasSQL},
	})
	if err != nil {
		return err
	}
	return s.decide(ctx)
}
