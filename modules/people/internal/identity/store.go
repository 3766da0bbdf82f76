package identity

import (
	"context"
	_ "embed"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/platform/database"
)

// lockKey is the advisory lock of resolutions; an arbitrary number of ours.
const lockKey = 0x6770_7065_6f70_6c65

type store struct{ db *database.DB }

// Models are the structures that mirror tables, for the test that compares the two.
func Models() []any {
	return []any{post{}, firm{}, alias{}, suppression{}, hold{}, decision{}, unit{}, origin{}}
}

// mark is up to where the catalogue was read.
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

// progress is where the last resolution ended; the beginning of time before the first.
func (s *store) progress(ctx context.Context) (mark, error) {
	const statement = "SELECT processed_at, arrival FROM people.progress"
	rows, err := database.Select[mark](ctx, s.db, "read the progress of resolutions", statement, database.Args{})
	if err != nil || len(rows) == 0 {
		return mark{}, err
	}
	return rows[0], nil
}

//go:embed touched.sql
var touchedSQL string

// touched gives the advisers of whom something has come since, sorted, and up to where that is. What a load that ends meanwhile
// brings may be among it already, and then comes again the next time.
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
	crds, err = database.Values[string](ctx, s.db, "find advisers with news", touchedSQL, database.Args{"processed": since.ProcessedAt, "arrival": since.Arrival})
	return now, crds, err
}

//go:embed advance.sql
var advanceSQL string

func (s *store) advance(ctx context.Context, from, to mark) error {
	if from == to {
		return nil
	}
	_, err := database.Run(ctx, s.db, "note the progress of resolutions", advanceSQL, database.Args{"processed": to.ProcessedAt, "arrival": to.Arrival})
	return err
}

//go:embed owners.sql
var ownersSQL string

func (s *store) owners(ctx context.Context, crds []string) ([]ownerRow, error) {
	return database.Select[ownerRow](ctx, s.db, "read owners and officers", ownersSQL, database.Args{"crds": crds})
}

//go:embed notices.sql
var noticesSQL string

func (s *store) notices(ctx context.Context, crds []string) ([]noticeRow, error) {
	return database.Select[noticeRow](ctx, s.db, "read related persons", noticesSQL, database.Args{"crds": crds})
}

// columns of people.posts in the order of values.
var columns = []string{
	"crd", "sight_uid", "person_uid", "number", "last_key", "first_key", "full_name", "title", "acquired_on", "named_from", "named_until",
	"left_before", "standing", "source", "city", "state", "sighted_in", "rule_uid",
	"acquired_year_only",
}

func (p *post) values() []any {
	return []any{
		p.CRD, p.SightUID, p.PersonUID, p.Number, p.LastKey, p.FirstKey, p.FullName, p.Title, p.AcquiredOn, p.NamedFrom, p.NamedUntil,
		p.LeftBefore, p.Standing, p.Source, p.City, p.State, p.SightedIn, p.RuleUID, p.AcquiredYearOnly,
	}
}

// begin makes the tables of a resolution.
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

var (
	//go:embed make_before.sql
	makeBeforeSQL string
	//go:embed note_before.sql
	noteBeforeSQL string
	//go:embed note_hidden.sql
	noteHiddenSQL string
	//go:embed note_hidden_numbers.sql
	noteHiddenNumbersSQL string
	//go:embed note_numbers.sql
	noteNumbersSQL string
	//go:embed remove.sql
	removeSQL string
	//go:embed write.sql
	writeSQL string
	//go:embed remove_firms.sql
	removeFirmsSQL string
	//go:embed write_firms.sql
	writeFirmsSQL string
)

// write brings the posts of some advisers to what was read.
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

var (
	//go:embed note_numbered.sql
	noteNumberedSQL string
	//go:embed assign.sql
	assignSQL string
	//go:embed assign_unnumbered.sql
	assignUnnumberedSQL string
	//go:embed undecide.sql
	undecideSQL string
	//go:embed alias.sql
	aliasSQL string
	//go:embed unalias.sql
	unaliasSQL string
	//go:embed realias.sql
	realiasSQL string
)

// assign gives the posts the uids of their people, by the rules and then by the operator's decisions, and keeps those that have
// changed as aliases.
func (s *store) assign(ctx context.Context) error {
	err := s.steps(ctx, database.Args{}, []step{
		{"note who has a number", noteNumberedSQL},
		{"assign uids by number", assignSQL},
		{"assign uids", assignUnnumberedSQL},
		{"lift decisions", undecideSQL},
		{"keep former uids", aliasSQL},
		{"drop former uids that are back", unaliasSQL},
		{"follow former uids", realiasSQL},
	})
	if err != nil {
		return err
	}
	return s.decide(ctx)
}
