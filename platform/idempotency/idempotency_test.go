package idempotency_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/idempotency"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
)

type thing struct {
	Number int64  `json:"number"`
	Name   string `json:"name"`
}

type thingInput struct {
	Body struct {
		Name string `json:"name" maxLength:"20"`
		Note string `json:"note,omitempty"`
	}
}

// workshop is operations that count how often they are executed.
type workshop struct {
	*httpapitest.Host

	db     *database.DB
	clock  *clocktest.Clock
	keeper *idempotency.Keeper
	meter  *chargetest.Meter
	done   atomic.Int64
	lock   sync.Mutex
	ids    []string // of the executions, as they began
	gate   chan struct{}
}

var secrets = idempotency.Secrets{[]byte(strings.Repeat("s", 32))}

func setup(t *testing.T) *workshop {
	t.Helper()
	w := &workshop{db: dbtest.New(t), clock: clocktest.At("2026-11-20T12:00:00Z"), meter: &chargetest.Meter{}}
	w.keeper = idempotency.New(w.db, w.clock, secrets)
	w.Host = w.host(t, w.keeper)
	return w
}

// Begin notes the ID of an execution.
func (n noting) Begin(ctx context.Context, request httpapi.KeyedRequest) (httpapi.Execution, *httpapi.KeptAnswer, error) {
	e, kept, err := n.Keeper.Begin(ctx, request)
	if err == nil && kept == nil {
		n.in.lock.Lock()
		defer n.in.lock.Unlock()
		n.in.ids = append(n.in.ids, e.ID())
	}
	return e, kept, err
}

type noting struct {
	httpapi.Keeper

	in *workshop
}

func (w *workshop) host(t *testing.T, keeper httpapi.Keeper) *httpapitest.Host {
	t.Helper()
	login := httpapi.Grant(httpapi.Login)
	return httpapitest.NewWith(t, httpapi.Config{Keeper: noting{keeper, w}, Meter: w.meter},
		httpapi.Post("/things", "make-thing", w.make, login, httpapi.KeyToo(), httpapi.Success(http.StatusCreated), httpapi.Errors(402, 403, 404, 409, 429, 503)),
		httpapi.Post("/others", "make-other", w.make, login, httpapi.Success(http.StatusCreated)),
		httpapi.Post("/plain", "do-plain", w.make, login),
		httpapi.Post("/exempt", "do-exempt", w.make, login, httpapi.Success(http.StatusCreated), httpapi.NotIdempotent()),
		httpapi.Get("/paid", "get-paid", func(context.Context, *struct {
			Word string `query:"word"`
		},
		) (*httpapi.Reply[thing], error) {
			return &httpapi.Reply[thing]{Body: thing{Number: w.done.Add(1)}}, nil
		}, httpapi.Charge(250_000, charge.PerRequest)),
		httpapi.Get("/hidden/{id}", "get-hidden", func(_ context.Context, in *struct {
			ID string `path:"id"`
		},
		) (*httpapi.Reply[thing], error) {
			if in.ID == "there" {
				return &httpapi.Reply[thing]{Units: []string{"there"}}, nil
			}
			return nil, apperr.NotFound("none")
		}, httpapi.Charge(250_000, charge.PerRequest), httpapi.Sells("profile"), httpapi.HidesMissing(), httpapi.Errors(404)),
		httpapi.Get("/paid-rows", "get-paid-rows", func(context.Context, *struct{}) (*httpapi.Reply[httpapi.Bytes], error) {
			n := w.done.Add(1)
			return &httpapi.Reply[httpapi.Bytes]{Stream: func(out *bufio.Writer) error {
				_, err := fmt.Fprintf(out, "row %d\n", n)
				return err
			}}, nil
		}, httpapi.Charge(250_000, charge.PerRequest), httpapi.Produces("text/csv"), httpapi.Volatile()),
	)
}

// make fails as the name of the thing says.
func (w *workshop) make(_ context.Context, in *thingInput) (*httpapi.Reply[thing], error) {
	n := w.done.Add(1)
	if w.gate != nil {
		<-w.gate
	}
	kinds := map[string]apperr.Kind{
		"conflict": apperr.KindConflict, "missing": apperr.KindNotFound, "down": apperr.KindUnavailable, "forbidden": apperr.KindForbidden,
		"cap": apperr.KindPaymentRequired, "limited": apperr.KindRateLimited, "blank": apperr.KindInvalid,
	}
	if kind, ok := kinds[in.Body.Name]; ok {
		return nil, apperr.New(kind, "failure %d", n)
	}
	switch in.Body.Name {
	case "broken":
		return nil, errors.New("broken")
	case "panic":
		panic("amid the work")
	}
	return &httpapi.Reply[thing]{Body: thing{Number: n, Name: in.Body.Name}, Header: map[string]string{"Location": fmt.Sprint("/things/", n)}}, nil
}

func caller(account int64) *auth.Principal {
	return &auth.Principal{Kind: auth.Session, UserID: account}
}

// post makes a thing under a key.
func post(path, key, body string) httpapitest.Scenario {
	return httpapitest.Scenario{Method: "POST", Path: path, Body: body, As: caller(1), Header: map[string]string{"Idempotency-Key": key}}
}

func with(s httpapitest.Scenario, as *auth.Principal) httpapitest.Scenario {
	s.As = as
	return s
}

const (
	one    = `{"name":"one"}`
	madeIt = `{"number":1,"name":"one"}`
)

var replayed = map[string]string{"Idempotent-Replayed": "true"}

// want completes a scenario: what must come back, and whether it is the answer of the first time.
func want(s httpapitest.Scenario, status int, body string, again bool) httpapitest.Scenario {
	s.Status, s.WantJSON, s.WantHeader = status, body, map[string]string{"Idempotent-Replayed": ""}
	if again {
		s.WantHeader = maps.Clone(replayed)
	}
	return s
}

func TestARequestIsExecutedOnce(t *testing.T) {
	t.Parallel()
	w := setup(t)
	first := w.Do(t, want(post("/things", "k", one), 201, madeIt, false))
	again := w.Do(t, want(post("/things", "k", one), 201, madeIt, true))
	again.Header.Del("Idempotent-Replayed")
	require.Equal(t, first, again, "the headers are the first answer's too")
	require.Equal(t, "/things/1", again.Header.Get("Location"))
	require.EqualValues(t, 1, w.done.Load())
	w.Do(t, want(post("/things", "k", "{\n \"note\":\"\",\"name\" : \"one\" }"), 422, "", false))
	w.Do(t, want(post("/things", "l", `{"name":"one","note":"n"}`), 201, `{"number":2,"name":"one"}`, false))
	w.Do(t, want(post("/things", "l", "{\n \"note\":\"n\",\"name\" : \"one\" }"), 201, `{"number":2,"name":"one"}`, true))
	require.EqualValues(t, 2, w.done.Load(), "neither the order of fields nor spaces make another request")
}

// The same key means another request to another account, and to test keys; a session and a live key act for one account.
func TestKeysBelongToTheirAccount(t *testing.T) {
	t.Parallel()
	w := setup(t)
	live := &auth.Principal{Kind: auth.Key, UserID: 1, Mode: "live"}
	test := &auth.Principal{Kind: auth.Key, UserID: 1, Mode: auth.ModeTest}
	w.Do(t, want(post("/things", "k", one), 201, madeIt, false))
	w.Do(t, want(with(post("/things", "k", one), live), 201, madeIt, true))
	w.Do(t, want(with(post("/things", "k", one), test), 201, `{"number":2,"name":"one"}`, false))
	w.Do(t, want(with(post("/things", "k", one), caller(2)), 201, `{"number":3,"name":"one"}`, false))
	w.Do(t, want(with(post("/things", "k", one), caller(2)), 201, `{"number":3,"name":"one"}`, true))
	w.Do(t, want(with(post("/things", "k", `{"name":"x"}`), caller(3)), 201, `{"number":4,"name":"x"}`, false))
	w.Do(t, want(post("/things", "k", one), 201, madeIt, true))
}

func TestAnotherRequestUnderTheKey(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.Do(t, want(post("/things", "k", one), 201, madeIt, false))
	for _, other := range []httpapitest.Scenario{
		post("/things", "k", `{"name":"two"}`), post("/others", "k", one),
		{Path: "/paid", As: caller(1), Header: map[string]string{"Idempotency-Key": "k"}},
	} {
		s := want(other, 422, "", false)
		s.Contains = []string{"The Idempotency-Key was sent with another request"}
		w.Do(t, s)
	}
	require.EqualValues(t, 1, w.done.Load())
	require.Empty(t, w.meter.Charged())
}

// 50 at once are one execution: the others are told to wait, or have its answer.
func TestFiftyAtOnce(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.gate = make(chan struct{})
	answers := make(chan httpapitest.Response, 50)
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() { answers <- w.Ask(t, post("/things", "k", one)) })
	}
	for range 49 { // one waits for us; nobody waits for it
		got := <-answers
		require.Equal(t, 409, got.Status, got.Body)
		require.Equal(t, "1", got.Header.Get("Retry-After"))
	}
	close(w.gate)
	require.Equal(t, 201, (<-answers).Status)
	all.Wait()
	for range 50 {
		all.Go(func() { answers <- w.Ask(t, post("/things", "k", one)) })
	}
	all.Wait()
	for range 50 {
		got := <-answers
		require.Equal(t, 201, got.Status)
		require.JSONEq(t, madeIt, got.Body)
		require.Equal(t, "true", got.Header.Get("Idempotent-Replayed"))
	}
	require.EqualValues(t, 1, w.done.Load())
}

// A process that is killed amid an execution leaves its row behind: after the lease exactly one request takes over, under the
// same ID. Should the first one come back to life, its answer is not kept over that of the other.
func TestADeadLeaseIsTakenOver(t *testing.T) {
	t.Parallel()
	w := setup(t)
	content := []byte("POST\n/things\n\n" + one)
	dead, kept, err := w.keeper.Begin(t.Context(), httpapi.KeyedRequest{Account: 1, Key: "k", Operation: "make-thing", Content: content})
	require.NoError(t, err)
	require.Nil(t, kept)
	w.clock.Move(10 * time.Second)
	s := want(post("/things", "k", one), 409, "", false)
	s.WantHeader["Retry-After"] = "50"
	w.Do(t, s)
	w.clock.Move(49 * time.Second)
	w.Do(t, want(post("/things", "k", one), 409, "", false))
	require.Zero(t, w.done.Load())
	w.clock.Move(time.Second)
	w.Do(t, want(post("/things", "k", `{"name":"two"}`), 422, "", false))

	answers := make(chan httpapitest.Response, 20)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() { answers <- w.Ask(t, post("/things", "k", one)) })
	}
	all.Wait()
	close(answers)
	for got := range answers {
		require.Contains(t, []int{201, 409}, got.Status)
	}
	require.EqualValues(t, 1, w.done.Load())
	require.NotEmpty(t, dead.ID())
	require.Equal(t, []string{dead.ID()}, w.ids)

	require.NoError(t, dead.Keep(t.Context(), httpapi.KeptAnswer{Status: 200, Body: []byte("late")}))
	require.NoError(t, dead.Release(t.Context()))
	w.Do(t, want(post("/things", "k", one), 201, madeIt, true))
}

func TestAnswersAreKeptForADay(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.Do(t, want(post("/things", "k", one), 201, madeIt, false))
	w.clock.Move(23*time.Hour + 59*time.Minute)
	w.Do(t, want(post("/things", "k", one), 201, madeIt, true))
	w.clock.Move(2 * time.Minute)
	w.Do(t, want(post("/things", "k", `{"name":"two"}`), 201, `{"number":2,"name":"two"}`, false))
	w.Do(t, want(post("/things", "k", `{"name":"two"}`), 201, `{"number":2,"name":"two"}`, true))
	require.Len(t, w.ids, 2)
	require.NotEqual(t, w.ids[0], w.ids[1], "another execution, which is charged anew")
}

// What the operation refused is kept; what failed, and what depends on who calls and what he may spend, may be tried again.
func TestWhichAnswersAreKept(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status int
		kept   bool
	}{
		"conflict": {409, true}, "missing": {404, true}, "down": {503, false}, "broken": {500, false}, "panic": {500, false},
		"forbidden": {403, false}, "cap": {402, false}, "limited": {429, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setup(t)
			body := `{"name":"` + name + `"}`
			w.Do(t, want(post("/things", "k", body), test.status, "", false))
			again := w.Ask(t, post("/things", "k", body))
			require.Equal(t, test.status, again.Status)
			require.Equal(t, test.kept, again.Header.Get("Idempotent-Replayed") == "true")
			times := int64(2)
			if test.kept {
				times = 1
			} else {
				require.Len(t, w.ids, 2)
				require.Equal(t, w.ids[0], w.ids[1], "it is the same execution, tried again")
			}
			require.Equal(t, times, w.done.Load())
		})
	}
}

// A request that is refused before it is executed takes no key.
func TestRefusedRequestsTakeNoKey(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.Do(t, want(post("/things", "k", `{"name":"`+strings.Repeat("x", 21)+`"}`), 400, "", false))
	w.Do(t, want(with(post("/things", "k", one), nil), 401, "", false))
	w.Do(t, want(post("/things", "k", one), 201, madeIt, false))
}

// The operation's own rules refuse a body as its schema does: the corrected request may bear the same key.
func TestABodyThatTheOperationRefusesTakesNoKey(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.Do(t, want(post("/things", "k", `{"name":"blank"}`), 400, "", false))
	w.Do(t, want(post("/things", "k", `{"name":"one"}`), 201, `{"number":2,"name":"one"}`, false))
	w.Do(t, want(post("/things", "k", `{"name":"one"}`), 201, `{"number":2,"name":"one"}`, true))
	w.Do(t, want(post("/things", "k", `{"name":"blank"}`), 422, "", false))
}

func TestKeysHaveAForm(t *testing.T) {
	t.Parallel()
	w := setup(t)
	const refused = `{"detail":"Invalid Idempotency-Key: must have 1 to 255 visible ASCII characters, without spaces",
		"errors":[{"field":"Idempotency-Key","message":"must have 1 to 255 visible ASCII characters, without spaces"}]}`
	for _, key := range []string{"a b", "é", strings.Repeat("k", 256), "a\tb"} {
		w.Do(t, want(post("/things", key, one), 400, refused, false))
		w.Do(t, want(httpapitest.Scenario{Path: "/paid", As: caller(1), Header: map[string]string{"Idempotency-Key": key}}, 400, refused, false))
	}
	require.Zero(t, w.done.Load())
	w.Do(t, want(post("/things", "!~"+strings.Repeat("k", 253), one), 201, madeIt, false))
	s := want(post("/things", "a b", `{"nam":"x"}`), 400, "", false)
	s.Contains = []string{`"field":"Idempotency-Key"`, `"field":"nam"`}
	w.Do(t, s)
}

// The header is for the operations that honour it: those that create or cost, and for callers with an account.
func TestWhereTheHeaderCounts(t *testing.T) {
	t.Parallel()
	w := setup(t)
	for path, honoured := range map[string]bool{"/things": true, "/others": true, "/plain": false, "/exempt": false} {
		status := 201
		if path == "/plain" {
			status = 200
		}
		w.Do(t, want(post(path, path, one), status, "", false))
		w.Do(t, want(post(path, path, one), status, "", honoured))
	}
	anonymous := httpapitest.Scenario{Path: "/paid", Header: map[string]string{"Idempotency-Key": "k"}}
	w.Do(t, want(anonymous, 200, "", false))
	w.Do(t, want(anonymous, 200, "", false))
}

// A paid answer is charged once and costs nothing when it is given again.
func TestPaidAnswersAreChargedOnce(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/paid", "/paid-rows"} {
		w := setup(t)
		get := httpapitest.Scenario{Path: path, As: caller(1), Header: map[string]string{"Idempotency-Key": "k"}}
		s := want(get, 200, "", false)
		s.WantHeader["X-Charge"] = "0.25"
		first := w.Do(t, s)
		s = want(get, 200, "", true)
		s.WantHeader["X-Charge"] = "0.00"
		again := w.Do(t, s)
		require.Equal(t, first.Body, again.Body)
		require.Equal(t, first.Header.Get("Content-Type"), again.Header.Get("Content-Type"))
		require.Equal(t, first.Header.Get("ETag"), again.Header.Get("ETag"))
		require.Len(t, w.meter.Charged(), 1)
		require.NotEmpty(t, w.meter.Charged()[0].Execution)
		head := want(get, 200, "", false)
		head.Method = "HEAD"
		w.Do(t, head)
	}
}

// A process that was killed after the charge has charged: who takes over has the receipt of the first time.
func TestATakenOverChargeIsMadeOnce(t *testing.T) {
	t.Parallel()
	w := setup(t)
	get := httpapitest.Scenario{Path: "/paid", As: caller(1), Header: map[string]string{"Idempotency-Key": "k"}}
	w.Host = w.host(t, killed{w.keeper})
	w.Do(t, want(get, 200, "", false))
	require.EqualValues(t, 250_000, w.meter.Spent(1))
	w.Host = w.host(t, w.keeper)
	w.Do(t, want(get, 409, "", false))
	w.clock.Move(idempotency.Lease)
	s := want(get, 200, "", false)
	s.WantHeader["X-Charge"] = "0.25"
	w.Do(t, s)
	require.EqualValues(t, 2, w.done.Load())
	require.EqualValues(t, 250_000, w.meter.Spent(1))
}

// killed is the keeper of a process that never gets to keep or release anything.
type killed struct{ httpapi.Keeper }

func (k killed) Begin(ctx context.Context, request httpapi.KeyedRequest) (httpapi.Execution, *httpapi.KeptAnswer, error) {
	e, kept, err := k.Keeper.Begin(ctx, request)
	return silent{e}, kept, err
}

type silent struct{ httpapi.Execution }

func (silent) Keep(context.Context, httpapi.KeptAnswer) error { return nil }
func (silent) Release(context.Context) error                  { return nil }
func (silent) Forget(context.Context) error                   { return nil }

// A request that is refused for money and sent again under its key does not show whether there is something to pay for.
func TestARepeatedRefusalHidesWhatIsMissing(t *testing.T) {
	t.Parallel()
	w := setup(t)
	for range 2 {
		for _, id := range []string{"there", "lost"} {
			w.Do(t, want(httpapitest.Scenario{Path: "/hidden/" + id + "?max_charge=0", As: caller(1), Header: map[string]string{"Idempotency-Key": id}}, 402, "", false))
		}
	}
}

// What was charged already is not refused for the cap that it has reached: neither the answer given again nor the execution
// that is taken over.
func TestNoChargeIsRefusedASecondTime(t *testing.T) {
	t.Parallel()
	w := setup(t)
	account := w.meter.Account()
	get := func(key string) httpapitest.Scenario {
		return httpapitest.Scenario{Path: "/paid", As: caller(account), Header: map[string]string{"Idempotency-Key": key}}
	}
	most := int64(500_000)
	w.meter.SetCap(account, &most)
	w.Do(t, want(get("kept"), 200, "", false))
	w.Host = w.host(t, killed{w.keeper})
	w.Do(t, want(get("killed"), 200, "", false))
	w.Host = w.host(t, w.keeper)
	w.clock.Move(idempotency.Lease)
	w.meter.Advance(time.Minute)
	w.Do(t, want(get("new"), 402, "", false))
	w.Do(t, want(get("kept"), 200, "", true))
	w.Do(t, want(get("killed"), 200, "", false))
	w.Do(t, want(get("killed"), 200, "", true))
	w.Do(t, want(get("new"), 402, "", false))
	require.Equal(t, most, w.meter.Spent(account))
}

// A charge that failed is tried again under the same ID: a ledger that records it can make it once.
func TestAFailedChargeIsTriedAgain(t *testing.T) {
	t.Parallel()
	w := setup(t)
	failing := w.meter
	failing.Failure = errors.New("the ledger is away")
	get := httpapitest.Scenario{Path: "/paid", As: caller(1), Header: map[string]string{"Idempotency-Key": "k"}}
	w.Do(t, want(get, 503, "", false))
	failing.Failure = nil
	w.Do(t, want(get, 200, `{"number":2,"name":""}`, false))
	w.Do(t, want(get, 200, `{"number":2,"name":""}`, true))
	require.Len(t, w.meter.Charged(), 1)
}

// What became of a request is recorded once the database can do so: it does not count as running until its lease ends.
func TestAnEndIsRecordedWhenTheDatabaseIsBack(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		first, second int
		done          int64
		replayed      bool
	}{"down": {503, 503, 2, false}, "one": {201, 201, 1, true}, "blank": {400, 400, 2, false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setup(t)
			w.gate = make(chan struct{})
			body := `{"name":"` + name + `"}`
			first := make(chan httpapitest.Response)
			go func() { first <- w.Ask(t, post("/things", "k", body)) }()
			require.Eventually(t, func() bool { return w.done.Load() == 1 }, time.Minute, time.Millisecond, "it is being executed")
			w.rename(t, "idempotency", "away")
			close(w.gate)
			require.Equal(t, test.first, (<-first).Status)
			w.Do(t, want(post("/things", "k", body), 500, "", false))
			w.rename(t, "away", "idempotency")
			w.Do(t, want(post("/things", "k", body), test.second, "", test.replayed))
			require.Equal(t, test.done, w.done.Load())
		})
	}
}

// The server records it by itself, for the next request may come to another process.
func TestEndsAreRecordedInTheBackground(t *testing.T) {
	t.Parallel()
	w := setup(t)
	request := httpapi.KeyedRequest{Account: 1, Key: "k", Operation: "make-thing", Content: []byte(one)}
	execution, _, err := w.keeper.Begin(t.Context(), request)
	require.NoError(t, err)
	w.rename(t, "idempotency", "away")
	require.Error(t, execution.Release(t.Context()))
	w.rename(t, "away", "idempotency")
	w.keeper.Start(t.Context())
	other := idempotency.New(w.db, w.clock, secrets)
	require.Eventually(t, func() bool {
		again, _, err := other.Begin(t.Context(), request)
		return err == nil && again.ID() == execution.ID()
	}, time.Minute, 10*time.Millisecond)
	require.NoError(t, w.keeper.Stop(t.Context()))
}

// A request fails when its time with the database is used up: its end is recorded all the same.
func TestAnEndHasItsOwnTime(t *testing.T) {
	t.Parallel()
	w := setup(t)
	request := httpapi.KeyedRequest{Account: 1, Key: "k", Operation: "make-thing", Content: []byte(one)}
	execution, _, err := w.keeper.Begin(t.Context(), request)
	require.NoError(t, err)
	require.NoError(t, execution.Release(database.WithLimit(t.Context(), 0)))
}

// rename puts the table away, and back.
func (w *workshop) rename(t *testing.T, from, to string) {
	t.Helper()
	require.NoError(t, w.db.From(t.Context()).Exec("ALTER TABLE platform."+from+" RENAME TO "+to).Error)
}

// The secrets of the server may be replaced. An answer that nobody can read any more is not made again.
func TestSecretsAreReplaced(t *testing.T) {
	t.Parallel()
	w := setup(t)
	newer := []byte(strings.Repeat("n", 32))
	w.Do(t, want(post("/things", "k", one), 201, madeIt, false))
	w.Host = w.host(t, idempotency.New(w.db, w.clock, idempotency.Secrets{newer, secrets[0]}))
	w.Do(t, want(post("/things", "k", one), 201, madeIt, true))
	w.Host = w.host(t, idempotency.New(w.db, w.clock, idempotency.Secrets{newer}))
	s := want(post("/things", "k", one), 409, "", false)
	s.Contains = []string{"was executed, but its response can no longer be read"}
	w.Do(t, s)
	require.EqualValues(t, 1, w.done.Load())
}

func TestForgetting(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.Do(t, want(post("/things", "old", one), 201, "", false))
	w.clock.Move(12 * time.Hour)
	w.Do(t, want(post("/things", "new", one), 201, "", false))
	w.Do(t, want(with(post("/things", "new", one), caller(2)), 201, "", false))
	w.clock.Move(12 * time.Hour)
	gone, err := w.keeper.Forget(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, gone)
	w.Do(t, want(post("/things", "new", one), 201, "", true))
	require.NoError(t, w.keeper.ForgetAccount(t.Context(), 1))
	w.Do(t, want(post("/things", "new", one), 201, "", false))
	w.Do(t, want(with(post("/things", "new", one), caller(2)), 201, "", true))
}

// Neither the key nor what was sent or answered can be read in the table.
func TestTheTableHoldsNothingInClear(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.Do(t, want(post("/things", "client-key-4711", `{"name":"Larkspur secret"}`), 201, "", false))
	var dump string
	require.NoError(t, w.db.From(t.Context()).Raw(`SELECT i::text || encode(answer, 'escape') || encode(key_hash, 'escape') || encode(fingerprint, 'escape')
		FROM platform.idempotency i`).Scan(&dump).Error)
	require.Contains(t, dump, "make-thing", "the dump is of the row")
	for _, plain := range []string{"client-key", "Larkspur", "secret", "number", "Location", fmt.Sprintf("%x", "Larkspur"), fmt.Sprintf("%x", "client-key")} {
		require.NotContains(t, dump, plain)
	}
}

// A request that read its clock before the kept answers were dropped is executed at once: it is not told to wait for itself.
func TestADropEndsTheLeaseForRequestsOnTheirWay(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.Do(t, want(post("/things", "k", one), 201, madeIt, false))
	w.clock.Move(time.Second)
	onTheWay := w.clock.Now()
	w.clock.Move(time.Second)
	require.NoError(t, idempotency.Drop(t.Context(), w.db, []string{"make-thing"}))
	w.clock.Move(onTheWay.Sub(w.clock.Now()))
	w.Do(t, want(post("/things", "k", one), 201, `{"number":2,"name":"one"}`, false))
}

// An answer that was delivered while the kept ones were dropped counts as delivered: the next request with its key buys nothing more.
func TestADropDuringAnExecution(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status   int
		answered bool
	}{"delivered": {200, true}, "refused": {409, false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setup(t)
			request := httpapi.KeyedRequest{Account: 1, Key: "k", Operation: "make-thing", Content: []byte(one)}
			during, _, err := w.keeper.Begin(t.Context(), request)
			require.NoError(t, err)
			require.NoError(t, idempotency.Drop(t.Context(), w.db, []string{"make-thing"}))
			require.NoError(t, during.Keep(t.Context(), httpapi.KeptAnswer{Status: test.status, Body: []byte(madeIt)}))
			next, kept, err := w.keeper.Begin(t.Context(), request)
			require.NoError(t, err)
			require.Nil(t, kept)
			require.Equal(t, test.answered, next.Answered())
			require.Equal(t, during.ID(), next.ID())
		})
	}
}
