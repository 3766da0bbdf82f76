package sending

import (
	"context"
	_ "embed"
	"time"

	"gpatlas/platform/changes"
	"gpatlas/platform/database"
)

type store struct{ db *database.DB }

var (
	//go:embed behind.sql
	behindSQL string
	//go:embed queue.sql
	queueSQL string
	//go:embed due.sql
	dueSQL string
	//go:embed claim.sql
	claimSQL string
	//go:embed conclude.sql
	concludeSQL string
	//go:embed lowered.sql
	loweredSQL string
)

// reader is an endpoint that has events before it.
type reader struct {
	ID           string
	UserID       int64
	Kinds        []string
	Scope        string
	CRDs         []string `db:"crds"`
	CollectionID *string
	Mode         string
	Position     int64
	Fresh, Open  int64
}

const (
	batch     = 200 // endpoints in a transaction
	freshMost = 200 // messages of an endpoint that wait for their first attempt
	openMost  = 2000
	// notifyEvery is how often an endpoint of mode notify is called.
	notifyEvery = 5 * time.Second
)

// behind locks endpoints that have not read up to the newest event, in the order of their IDs. Those that another process has locked
// are left out.
func (s *store) behind(ctx context.Context, after string, newest int64, now time.Time) ([]reader, error) {
	return database.Select[reader](ctx, s.db, "find webhooks that are behind", behindSQL, database.Args{
		"after": after, "newest": newest, "fresh": freshMost, "open": openMost, "pause": now.Add(-notifyEvery), "most": batch,
	})
}

const (
	watchedSQL   = "SELECT user_id, adviser_crd AS crd FROM accounts.pub_watch WHERE user_id = ANY (@users)"
	collectedSQL = "SELECT adviser_crd FROM accounts.pub_collection_item WHERE user_id = @user AND collection_id = @id::uuid AND adviser_crd IS NOT NULL"
)

// watched returns the GPs on the watchlists of accounts.
func (s *store) watched(ctx context.Context, users []int64) (map[int64][]string, error) {
	lists := map[int64][]string{}
	if len(users) == 0 {
		return lists, nil
	}
	rows, err := database.Select[struct {
		UserID int64
		CRD    string `db:"crd"`
	}](ctx, s.db, "read watchlists", watchedSQL, database.Args{"users": users})
	for _, r := range rows {
		lists[r.UserID] = append(lists[r.UserID], r.CRD)
	}
	return lists, err
}

// collected returns the GPs of a collection; none if it was deleted.
func (s *store) collected(ctx context.Context, user int64, id string) ([]string, error) {
	return database.Values[string](ctx, s.db, "read a collection", collectedSQL, database.Args{"user": user, "id": id})
}

// message is a row of feed.messages.
type message struct {
	EndpointID      string
	ID              string
	SeqLow, SeqHigh int64
	Kind            string
	Events          int64
	Tries, Attempts int
	CreatedAt       *time.Time // nil: it is being queued
	Body            *string    // of search_match
}

// queue stores messages, and where their endpoints have read to. A message that is there already is sent again.
func (s *store) queue(ctx context.Context, list []message, moved []move, now time.Time) error {
	args := database.Args{"now": now}
	var endpoints, ids, kinds []string
	var lows, highs, events []int64
	for _, m := range list {
		endpoints, ids, kinds = append(endpoints, m.EndpointID), append(ids, m.ID), append(kinds, m.Kind)
		lows, highs, events = append(lows, m.SeqLow), append(highs, m.SeqHigh), append(events, m.Events)
	}
	args["endpoints"], args["ids"], args["kinds"], args["lows"], args["highs"], args["events"] = endpoints, ids, kinds, lows, highs, events
	var readers []string
	var positions []int64
	var notified []bool
	for _, m := range moved {
		readers, positions, notified = append(readers, m.endpoint), append(positions, m.to), append(notified, m.notified)
	}
	args["readers"], args["positions"], args["notified"] = readers, positions, notified
	_, err := database.Run(ctx, s.db, "queue webhooks", queueSQL, args)
	return err
}

// move is how far an endpoint has read.
type move struct {
	endpoint string
	to       int64
	notified bool
}

// due is an endpoint with a message that is due.
type due struct {
	ID     string
	UserID int64
	Streak int
}

// due returns the endpoints with something due, besides those in full.
func (s *store) due(ctx context.Context, full []string, now time.Time) ([]due, error) {
	return database.Select[due](ctx, s.db, "find due webhooks", dueSQL, database.Args{"full": full, "now": now, "probing": probeAfter})
}

// claim takes messages of endpoints, at most so many of each. They are due again after the lease.
func (s *store) claim(ctx context.Context, endpoints []string, counts []int, now time.Time) ([]message, error) {
	return database.Select[message](ctx, s.db, "claim webhooks", claimSQL, database.Args{"endpoints": endpoints, "counts": counts, "now": now, "until": now.Add(lease)})
}

// target is where an endpoint's messages go.
type target struct {
	ID      string
	URL     string `db:"url"`
	Headers []byte
	Secrets [][]byte
}

func (s *store) targets(ctx context.Context, endpoints []string, now time.Time) (map[string]target, error) {
	list, err := database.Select[target](ctx, s.db, "read webhook endpoints", targetsSQL, database.Args{"endpoints": endpoints, "now": now})
	found := make(map[string]target, len(list))
	for _, t := range list {
		found[t.ID] = t
	}
	return found, err
}

// events returns the events that messages are about, by number.
func (s *store) events(ctx context.Context, list []message) (map[int64]changes.Event, error) {
	var numbers []int64
	for _, m := range list {
		if m.Kind != Available && m.Body == nil {
			numbers = append(numbers, m.SeqHigh)
		}
	}
	if numbers == nil {
		return nil, nil //nolint:nilnil // none
	}
	return changes.Find(ctx, s.db, numbers)
}

const targetsSQL = `SELECT e.id, e.url, e.headers, array(
	SELECT s.sealed FROM feed.secrets s
	WHERE s.endpoint_id = e.id AND (s.expires_at IS NULL OR s.expires_at > @now)
	ORDER BY s.id DESC
) AS secrets
FROM feed.endpoints e
WHERE e.id = ANY (@endpoints::uuid[])`
