package changes

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"time"

	"gpatlas/platform/database"
)

const (
	// Channel is the PostgreSQL channel of notices about new events. The payload is the highest number.
	Channel = "changes"
	// forgot is the payload of the notice that events were emptied.
	forgot = "forgot"
	// lockKey is the advisory lock that writers hold from Append until their commit, an arbitrary number of ours.
	lockKey = 0x6770_6368_616e_6765
	// window is how many numbers a page of events looks at.
	window = 50_000
)

var (
	//go:embed append.sql
	appendSQL string
	//go:embed after.sql
	afterSQL string
)

const (
	lockSQL   = "SELECT pg_advisory_xact_lock(@key)"
	notifySQL = "SELECT pg_notify(@channel, currval('platform.changes_seq')::text)"
	forgotSQL = "SELECT pg_notify(@channel, @forgot)"
	eventsSQL = `SELECT * FROM jsonb_to_recordset(@events::jsonb) AS r(kind text, crd text, subject text, accession text, day date, arrival bigint, said jsonb)`
	sinceSQL  = `SELECT coalesce((SELECT min(seq) - 1 FROM platform.changes WHERE at >= @at), (SELECT max(seq) FROM platform.changes), (SELECT swept FROM platform.changes_log))`
	// Numbers of the old epoch are not drawn again, so no two events ever have the same number.
	restartSQL = `WITH log AS (UPDATE platform.changes_log SET epoch = gen_random_uuid(), begun = now() RETURNING epoch)
SELECT epoch, setval('platform.changes_seq', (nextval('platform.changes_seq') >> 40) + 1 << 40) FROM log`
	forgetSQL = `UPDATE platform.changes c SET subject = '', said = '{}' FROM ($query$) q
WHERE c.kind = @kind AND c.subject = q.subject AND (q.crd = '' OR c.crd = q.crd)`
	sweepSQL = `WITH old AS (DELETE FROM platform.changes WHERE at < @before RETURNING seq)
UPDATE platform.changes_log SET swept = greatest(swept, (SELECT max(seq) FROM old))`
)

// Append adds events to the log, sorted by GP, kind and subject. It is the last write of the transaction of ctx: others that append wait for its end.
func Append(ctx context.Context, db *database.DB, events []Event) error {
	if len(events) == 0 {
		return nil
	}
	type row struct {
		Kind      string          `json:"kind"`
		CRD       string          `json:"crd"`
		Subject   string          `json:"subject"`
		Accession string          `json:"accession"`
		Day       *time.Time      `json:"day"`
		Arrival   int64           `json:"arrival"`
		Said      json.RawMessage `json:"said"`
	}
	rows := make([]row, len(events))
	for i, e := range events {
		rows[i] = row{e.Kind, e.CRD, e.Subject, e.Accession, e.Day, e.Arrival, e.Said}
		if e.Said == nil {
			rows[i].Said = json.RawMessage("{}")
		}
	}
	encoded, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	_, err = appendQuery(ctx, db, lockSQL, eventsSQL, database.Args{"events": string(encoded)})
	return err
}

// AppendQuery is Append of the rows of a query with the columns kind, crd, subject, accession, day, arrival and said. It returns how
// many it added.
func AppendQuery(ctx context.Context, db *database.DB, query string, args database.Args) (int64, error) {
	return appendQuery(ctx, db, lockSQL, query, args)
}

// appendQuery draws the numbers in a statement after the lock: its snapshot has all events of those that held the lock before.
func appendQuery(ctx context.Context, db *database.DB, lock, query string, args database.Args) (int64, error) {
	if !db.InTransaction(ctx) {
		return 0, errors.New("changes: events are appended in the transaction that makes the change")
	}
	if _, err := database.Run(ctx, db, "lock the log of changes", lock, database.Args{"key": int64(lockKey)}); err != nil {
		return 0, err
	}
	n, err := database.Run(ctx, db, "append to the log of changes", strings.Replace(appendSQL, "$query$", query, 1), args)
	if err != nil || n == 0 {
		return n, err
	}
	_, err = database.Run(ctx, db, "announce changes", notifySQL, database.Args{"channel": Channel})
	return n, err
}

// row is a row of after.sql.
type row struct {
	Epoch     [16]byte
	Swept     int64
	Newest    int64
	Last      int64
	NewestAt  *time.Time
	OldestAt  *time.Time
	Seq       int64
	At        *time.Time
	Kind      string
	CRD       string `db:"crd"`
	Subject   string
	Accession string
	Day       *time.Time
	Arrival   int64
	Said      json.RawMessage
}

// After returns the first events after a number that the filter selects, at most limit of them.
func After(ctx context.Context, db *database.DB, seq int64, limit int, f Filter) (Page, error) {
	args := database.Args{"after": seq, "limit": limit + 1, "window": window, "kinds": nil, "crds": nil, "subject": f.Subject}
	if len(f.Kinds) > 0 {
		args["kinds"] = f.Kinds
	}
	if f.CRDs != nil {
		args["crds"] = f.CRDs
	}
	rows, err := database.Select[row](ctx, db, "read the log of changes", afterSQL, args)
	if err != nil {
		return Page{}, err
	}
	if len(rows) == 0 {
		return Page{}, errors.New("changes: platform.changes_log has no row")
	}
	r := rows[0]
	p := Page{Head: Head{r.Epoch, r.Swept, r.Newest, r.NewestAt, r.OldestAt}, Next: max(seq, r.Last), More: r.Last != 0 && r.Last < r.Newest}
	for _, r := range rows {
		if r.Seq == 0 {
			continue
		}
		if len(p.Events) == limit {
			p.More, p.Next = true, seq
			if limit > 0 {
				p.Next = p.Events[limit-1].Seq
			}
			break
		}
		p.Events = append(p.Events, Event{r.Seq, r.At.UTC(), r.Kind, r.CRD, r.Subject, r.Accession, r.Day, r.Arrival, r.Said})
	}
	return p, nil
}

const findSQL = `SELECT seq, at, kind, crd, subject, accession, day, arrival, said FROM platform.changes WHERE seq = ANY (@numbers)`

// Find returns the events with some numbers. Those that were deleted because of their age are left out.
func Find(ctx context.Context, db *database.DB, numbers []int64) (map[int64]Event, error) {
	list, err := database.Select[Event](ctx, db, "read events of the log of changes", findSQL, database.Args{"numbers": numbers})
	found := make(map[int64]Event, len(list))
	for i := range list {
		list[i].At = list[i].At.UTC()
		found[list[i].Seq] = list[i]
	}
	return found, err
}

// HeadOf returns the state of the log.
func HeadOf(ctx context.Context, db *database.DB) (Head, error) {
	p, err := After(ctx, db, maxSeq, 0, Filter{})
	return p.Head, err
}

// maxSeq is greater than all numbers.
const maxSeq = 1<<62 - 1

// Since returns the number after which the events since an instant begin.
func Since(ctx context.Context, db *database.DB, at time.Time) (int64, error) {
	list, err := database.Values[int64](ctx, db, "find an instant in the log of changes", sinceSQL, database.Args{"at": at})
	if err != nil {
		return 0, err
	}
	return list[0], nil
}

// Restart begins a new epoch: all cursors that readers have are expired. It is for restored backups.
func Restart(ctx context.Context, db *database.DB) error {
	return db.InTx(ctx, func(ctx context.Context) error {
		if _, err := database.Run(ctx, db, "lock the log of changes", lockSQL, database.Args{"key": int64(lockKey)}); err != nil {
			return err
		}
		if _, err := database.Run(ctx, db, "restart the log of changes", restartSQL, nil); err != nil {
			return err
		}
		_, err := database.Run(ctx, db, "announce changes", notifySQL, database.Args{"channel": Channel})
		return err
	})
}

// Forget removes what the events of a kind say about some subjects, which are people; the events keep their numbers. query has the columns subject
// and crd; crd "" means at every GP.
func Forget(ctx context.Context, db *database.DB, kind, query string, args database.Args) error {
	given := database.Args{"kind": kind}
	maps.Copy(given, args)
	n, err := database.Run(ctx, db, "forget people in the log of changes", strings.Replace(forgetSQL, "$query$", query, 1), given)
	if err != nil || n == 0 {
		return err
	}
	_, err = database.Run(ctx, db, "announce what is forgotten", forgotSQL, database.Args{"channel": Channel, "forgot": forgot})
	return err
}

// Sweep deletes the events before an instant.
func Sweep(ctx context.Context, db *database.DB, before time.Time) error {
	_, err := database.Run(ctx, db, "sweep the log of changes", sweepSQL, database.Args{"before": before})
	return err
}
