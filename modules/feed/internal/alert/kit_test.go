package alert_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/feed/internal/alert"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
)

// catalog is a catalog whose loads change what a test says, by the state that a search asks for.
type catalog struct {
	db     *database.DB
	load   int64
	news   map[string][]catalogapi.GPNews
	looked bool // since the last load

	total  int            // of each search
	asked  map[string]int // searches that were compared
	failAt int            // fails at so many; 0: never
	fault  string         // of the filters of searches in this state
}

var errStopped = errors.New("stopped")

func (c *catalog) CheckWatched(filters map[string]any) error {
	if _, ok := filters["auditor_name"]; ok {
		return apperr.Invalid(apperr.FieldError{Field: "auditor_name", Message: "cannot be watched"})
	}
	return nil
}

func (c *catalog) CheckGPFilters(map[string]any) error { return nil }

func (c *catalog) SearchGPs(context.Context, map[string]any, int, int) (catalogapi.GPPage, error) {
	return catalogapi.GPPage{Total: c.total}, nil
}

func (*catalog) WatchedFields() []string { return []string{"city", "total_aum"} }

func (c *catalog) NewestLoad(context.Context) (int64, error) { return c.load, nil }

func (c *catalog) CompareGPs(ctx context.Context, fn func(ctx context.Context, of catalogapi.Compared, c catalogapi.GPComparison) error) error {
	if c.looked || c.load == 0 {
		return nil
	}
	c.asked = map[string]int{}
	known := clocktest.Instant("2026-11-20T09:00:00Z").Add(time.Duration(c.load) * time.Minute)
	err := c.db.InTx(ctx, func(ctx context.Context) error {
		return fn(ctx, catalogapi.Compared{Arrival: c.load, KnownAt: known, Last: true}, c)
	})
	c.looked = err == nil
	return err
}

func (c *catalog) News(filters map[string]any) ([]catalogapi.GPNews, error) {
	state, _ := filters["state"].(string)
	if c.asked[state]++; c.failAt > 0 && len(c.asked) >= c.failAt {
		return nil, errStopped
	}
	if state == c.fault && state != "" {
		return nil, apperr.Invalid(apperr.FieldError{Field: "state", Message: "is no state any more"})
	}
	return c.news[state], nil
}

// bench is the operations over a database with two accounts.
type bench struct {
	*httpapitest.Host
	*catalog
	service  *alert.Service
	clock    *clocktest.Clock
	ada, bea *auth.Principal
}

func newBench(t *testing.T, sold bool) *bench {
	t.Helper()
	b := &bench{catalog: &catalog{db: dbtest.New(t), load: 1, looked: true, total: 12}, clock: clocktest.At("2026-11-20T09:30:00Z")}
	for mail, who := range map[string]**auth.Principal{"ada@larkspur.example": &b.ada, "bea@larkspur.example": &b.bea} {
		ids, err := database.Values[int64](t.Context(), b.db, "add an account", `INSERT INTO accounts.users (email, email_key, password_hash, full_name, tier, subscription_plan, api_tier, created_at, updated_at, email_verified_at)
			VALUES (@email, @email, 'x', 'Ada Larkspur', 'free_trial', 'free', 'starter', now(), now(), now()) RETURNING id`, database.Args{"email": mail})
		require.NoError(t, err)
		*who = &auth.Principal{Kind: auth.Session, UserID: ids[0]}
	}
	b.service = alert.NewService(b.db, b.clock, b.catalog, b.catalog, jobs.NewEnqueuer(b.db), sold)
	b.Host = httpapitest.New(t, alert.Routes(b.service)...)
	return b
}

func (b *bench) run(t *testing.T, statement string, args database.Args) {
	t.Helper()
	_, err := database.Run(t.Context(), b.db, "prepare", statement, args)
	require.NoError(t, err)
}

func (b *bench) values(t *testing.T, statement string) []string {
	t.Helper()
	list, err := database.Values[string](t.Context(), b.db, "look", statement, nil)
	require.NoError(t, err)
	return list
}

// save saves a search by a state and returns its ID.
func (b *bench) save(t *testing.T, who *auth.Principal, filters string) string {
	t.Helper()
	id := uuid.NewString()
	b.run(t, `INSERT INTO accounts.saved_searches (id, user_id, name, filters, created_at, updated_at) VALUES (@id, @user, 'Firms of a state', @filters, now(), now())`,
		database.Args{"id": id, "user": who.UserID, "filters": filters})
	return id
}

// watch saves a search and sets its alert.
func (b *bench) watch(t *testing.T, who *auth.Principal, state, body string) (id string) {
	t.Helper()
	id = b.save(t, who, fmt.Sprintf(`{"state":%q}`, state))
	b.set(t, who, id, body)
	b.clock.Move(time.Second)
	return id
}

func (b *bench) set(t *testing.T, who *auth.Principal, id, body string) {
	t.Helper()
	b.Do(t, httpapitest.Scenario{Method: "PUT", Path: "/v1/me/searches/" + id + "/alert", Body: body, As: who})
}

// publish is a load with news of a state, and a look at it.
func (b *bench) publish(t *testing.T, state string, news ...catalogapi.GPNews) {
	t.Helper()
	b.load, b.looked, b.news = b.load+1, false, map[string][]catalogapi.GPNews{state: news}
	b.look(t)
}

func (b *bench) look(t *testing.T) {
	t.Helper()
	b.clock.Move(time.Minute)
	_, err := b.service.Look(t.Context())
	require.NoError(t, err)
}

func entered(n int) catalogapi.GPNews {
	return catalogapi.GPNews{CRD: strconv.Itoa(900000 + n), Name: "Firm " + strconv.Itoa(n) + " LLC", What: catalogapi.NewsEntered}
}

func left(n int) catalogapi.GPNews {
	one := entered(n)
	one.What = catalogapi.NewsLeft
	return one
}

func changed(n int, fields ...string) catalogapi.GPNews {
	one := entered(n)
	one.What, one.Fields = catalogapi.NewsChanged, fields
	return one
}

// read lists the news of a search as "CRD what".
func (b *bench) read(t *testing.T, who *auth.Principal, id, query string) (list []string, meta alert.Meta) {
	t.Helper()
	got := b.Do(t, httpapitest.Scenario{Path: "/v1/me/searches/" + id + "/news?" + query, As: who})
	var answer struct {
		Data []alert.News
		Meta alert.Meta
	}
	require.NoError(t, json.Unmarshal([]byte(got.Body), &answer))
	for _, n := range answer.Data {
		list = append(list, n.CRD+" "+n.What)
	}
	return list, answer.Meta
}
