package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/testscale"
	"gpatlas/web/webtest"
)

// TestAnswersAreDocumented calls every operation as every kind of caller, with valid, extreme and hostile parameters,
// bodies and headers, on a service with the sample. Each answer must be one that the served document describes: its
// status, its content type, its headers and its body. At the end each operation has given its good answer and each
// refusal that it documents and that a caller can provoke.
func TestAnswersAreDocumented(t *testing.T) {
	t.Parallel()
	s := newSurvey(t)
	for _, scene := range scenes {
		scene(s)
	}
	for _, r := range s.routes {
		s.ordinary(r)
		s.keyed(r)
		s.unpaid(r)
		s.random(r, newValues(s, r.Operation), testscale.Rounds(t, 24))
	}
	for _, r := range s.routes {
		s.exhausted(r)
	}
	s.report()
}

// survey is a service, those who call it, and what it has answered.
type survey struct {
	*traveller

	db       *database.DB
	redis    *redis.Client
	redisURL string
	client   *http.Client
	routes   []httpapi.Route // in the order of their ids
	byID     map[string]httpapi.Route
	guests   []*guest
	spent    *guest                 // a key of an account whose free calls are used up
	answered map[string]map[int]int // operation → status → answers
	faults   map[string]string      // one input for each fault
	calls    int
	sequence int
}

func newSurvey(t *testing.T) *survey {
	t.Helper()
	db, redisURL := sampleDB.New(t), dbtest.RedisURL(t)
	options, err := redis.ParseURL(redisURL)
	require.NoError(t, err)
	h := startHouse(t, dbtest.URL(t, db), redisURL, "ANONYMOUS_LIMITS=off", "LOG_LEVEL=error", "DATAOPS_SOURCES_BASE_URL="+emptyMirror(t))
	s := &survey{
		traveller: travel(t, h), db: db, redis: redis.NewClient(options), redisURL: redisURL, client: &http.Client{Timeout: patience},
		answered: map[string]map[int]int{}, faults: map[string]string{},
	}
	s.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // it is the answer
	t.Cleanup(func() { _ = s.redis.Close(); s.client.CloseIdleConnections() })
	status, served := get(t, h.base+"/openapi.json")
	require.Equal(t, http.StatusOK, status)
	s.document = webtest.NewDocument(t, []byte(served))
	s.byID = s.traveller.routes
	for _, r := range s.byID {
		s.routes = append(s.routes, r)
		s.answered[r.Operation.OperationID] = map[int]int{}
	}
	slices.SortFunc(s.routes, func(a, b httpapi.Route) int {
		return strings.Compare(a.Operation.OperationID, b.Operation.OperationID)
	})
	s.invite()
	return s
}

// asked is a request to an operation.
type asked struct {
	route  httpapi.Route
	method string // "" is the operation's
	path   string // with its parameters
	body   string
	header http.Header
	as     *guest
}

func (q asked) String() string {
	clip := func(text string) string {
		if most := 400; len(text) > most {
			if !utf8.ValidString(text) {
				most = 40
			}
			return fmt.Sprintf("%q… (%d bytes)", text[:most], len(text))
		}
		return strconv.Quote(text)
	}
	return fmt.Sprintf("%s %s, body %s, headers %v, as %s", q.route.Operation.Method, clip(q.path), clip(q.body), q.header, q.as.kind)
}

// ask calls an operation and validates the answer. Where a limit refuses, that refusal is validated, the limits are
// lifted, and the call is made again.
func (s *survey) ask(q asked) answer {
	s.t.Helper()
	got := s.once(q)
	if got.status == http.StatusTooManyRequests {
		s.lift()
		got = s.once(q)
	}
	return got
}

func (s *survey) once(q asked) answer {
	s.t.Helper()
	got, err := s.send(q)
	require.NoError(s.t, err, "%s", q)
	s.calls++
	id := q.route.Operation.OperationID
	s.answered[id][got.status]++
	err = s.document.Answer(q.route.Operation.Method, q.route.Operation.Path, got.status, got.header, []byte(got.body))
	if got.status == http.StatusInternalServerError { // documented, and never right
		err = errOurs
	}
	if err != nil {
		name := fmt.Sprintf("%s answers %d: %.300v", id, got.status, err)
		if s.faults[name] == "" {
			s.faults[name] = fmt.Sprintf("%s\n\tanswered %d %.600s", q, got.status, got.body)
		}
	}
	q.as.after(s, q.route, got.status)
	return got
}

var errOurs = errors.New("a fault of ours")

func (s *survey) send(q asked) (answer, error) {
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, cmp.Or(q.method, q.route.Operation.Method), s.house.base+q.path, bytes.NewReader([]byte(q.body)))
	if err != nil {
		return answer{}, err
	}
	if q.body == "" {
		req.Body, req.ContentLength = http.NoBody, 0
	} else {
		req.Header.Set("Content-Type", "application/json")
	}
	if credential := q.as.credential(); credential != "" {
		req.Header.Set("Authorization", credential)
	}
	maps.Copy(req.Header, q.header)
	res, err := s.client.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = res.Body.Close() }()
	var body io.Reader = res.Body
	if res.Header.Get("Content-Encoding") == "gzip" {
		if body, err = gzip.NewReader(res.Body); err != nil {
			return answer{}, err
		}
	}
	b, err := io.ReadAll(body)
	return answer{res.StatusCode, res.Header, string(b)}, err
}

// lift makes the counts of all limits begin again.
func (s *survey) lift() {
	s.t.Helper()
	ctx := s.t.Context()
	require.NoError(s.t, s.db.From(ctx).Exec("DELETE FROM accounts.attempts").Error)
	names := s.redis.Scan(ctx, 0, "*", 1000).Iterator()
	for names.Next(ctx) {
		if !strings.HasPrefix(names.Val(), "asynq") { // the queues of mails
			require.NoError(s.t, s.redis.Del(ctx, names.Val()).Err())
		}
	}
	require.NoError(s.t, names.Err())
}

// ordinary calls an operation as everybody, as it is meant to be called; and in the ways that every operation
// refuses: with a parameter that it does not know, with ids of nothing, with the tag of what one has already.
func (s *survey) ordinary(r httpapi.Route) {
	op := r.Operation
	for _, g := range s.guests {
		s.ask(s.valid(r, g))
		unknown := s.valid(r, g)
		unknown.path += map[bool]string{true: "&", false: "?"}[strings.Contains(unknown.path, "?")] + "verbos=1"
		s.ask(unknown)
	}
	usual := s.usual(r)
	if strings.Contains(op.Path, "{") {
		q := s.valid(r, usual)
		_, query, _ := strings.Cut(q.path, "?")
		q.path = inPathOf(op.Path, orNone(map[string]string{"crd": "999999999", "fund_id": "805-9999999999", "person_uid": "per_aaaaaaaaaaaaaaaa", "school": "nowhere", "id": "sess_aaaaaaaaaaaaaaaaaaaaaaaaaa", "alert_id": "999999999", "run_id": "999999999", "notification_id": "nothing_such"}))
		if query != "" {
			q.path += "?" + query
		}
		s.ask(q)
	}
	if op.RequestBody == nil { // HTTP lets clients send one all the same
		q := s.valid(r, usual)
		q.body = `{"limit":1}`
		s.ask(q)
		q.body = strings.Repeat(" ", 1<<20+1)
		s.ask(q)
	}
	if op.Method == http.MethodGet {
		q := s.valid(r, usual)
		want := s.ask(q)
		q.method = http.MethodHead
		got, err := s.send(q)
		require.NoError(s.t, err)
		if got.status != want.status && got.status != http.StatusTooManyRequests || got.body != "" {
			s.faults[op.OperationID+" answers HEAD otherwise than GET"] = fmt.Sprintf("%s: %d, not %d: %.100s", q, got.status, want.status, got.body)
		}
		q.method, q.header = "", http.Header{"If-None-Match": {cmp.Or(want.header.Get("ETag"), "*")}}
		s.ask(q)
	}
}

// keyed sends a request with an Idempotency-Key where the operation honours it: while the first one with the key runs, and
// with the key of another request.
func (s *survey) keyed(r httpapi.Route) {
	s.t.Helper()
	op := r.Operation
	if !slices.ContainsFunc(op.Parameters, func(p *huma.Param) bool { return p.Name == httpapi.HeaderKey }) {
		return
	}
	g := s.usual(r)
	if r.Access == httpapi.Public { // anonymous callers have no keys
		g = s.guest("session")
	}
	q := s.valid(r, g)
	q.header = http.Header{httpapi.HeaderKey: {"survey-" + op.OperationID}}
	for status, change := range map[int]string{
		http.StatusConflict:            "status = NULL, answer = NULL, lease_until = now() + interval '1 minute'",
		http.StatusUnprocessableEntity: "fingerprint = sha256('another request')",
	} {
		s.ask(q)
		s.exec("UPDATE platform.idempotency SET "+change+" WHERE operation = ?", op.OperationID)
		got := s.ask(q)
		require.Equal(s.t, status, got.status, "%s: %s", q, got.body)
		s.exec("DELETE FROM platform.idempotency WHERE operation = ?", op.OperationID)
	}
}

// unpaid sends a request that money alone stands in the way of, where the operation documents that; and asks for its price.
func (s *survey) unpaid(r httpapi.Route) {
	s.t.Helper()
	op := r.Operation
	if op.Responses["402"] != nil {
		got := s.ask(s.valid(r, s.spent))
		require.Equal(s.t, http.StatusPaymentRequired, got.status, "%s: %s", op.OperationID, got.body)
		require.Contains(s.t, got.body, `"code":"free_calls"`)
	}
	if r.ChargeMicros == 0 {
		return
	}
	q := s.valid(r, s.guest("live key"))
	q.path += map[bool]string{true: "&", false: "?"}[strings.Contains(q.path, "?")] + "quote=true"
	got := s.ask(q)
	require.Equal(s.t, http.StatusOK, got.status, "%s: %s", q, got.body)
	require.Contains(s.t, got.body, `"meta":{"quote":true}`)
	require.Equal(s.t, "0.00", got.header.Get("X-Charge"))
}

// valid is a good request of an operation by a caller, about things that are his where he has any.
func (s *survey) valid(r httpapi.Route, g *guest) asked {
	op := r.Operation
	path := inPathOf(op.Path, func(name string) string { return url.PathEscape(g.thing(s, name)) })
	query := required(r)
	switch op.OperationID {
	case "get-gp-diff":
		query.Set("from", "2024-06-30")
		query.Set("to", "2026-06-30")
	case "list-gp-hiring": // most managers have no board
		path = inPathOf(op.Path, func(string) string { return hiringGP })
	case "list-fund-lps": // most funds are in no list
		path = inPathOf(op.Path, func(string) string { return listedFund })
	case "track-click":
		query.Set("url", "aHR0cHM6Ly9hdGxhcy5leGFtcGxlL2FjY291bnQ")
	case "unlock-gp-careers": // sold to whoever has bought the person
		s.exec(`INSERT INTO billing.entitlements (user_id, product, unit, charge_id, amount_micros)
			SELECT id, 'roster', ?, 0, 0 FROM accounts.users ON CONFLICT DO NOTHING`, shownPerson)
		s.exec(`INSERT INTO billing.places (user_id, product, place)
			SELECT DISTINCT u.id, 'roster', p.crd || '/' || p.person_uid FROM accounts.users u, people.posts p WHERE p.person_uid = ? ON CONFLICT DO NOTHING`, shownPerson)
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return asked{route: r, path: path, body: s.goodBody(r, g), as: g}
}

func inPathOf(path string, value func(name string) string) string {
	return pathParameter.ReplaceAllStringFunc(path, func(p string) string { return value(strings.Trim(p, "{}")) })
}

// goodBody is a body of an operation that is accepted where the caller may call it: that of the documentation's
// journey, with addresses that are not taken yet.
func (s *survey) goodBody(r httpapi.Route, g *guest) string {
	op := r.Operation
	s.sequence++
	switch op.OperationID {
	case "register":
		return s.house.form(fmt.Sprintf("guest%d@mossgate.example", s.sequence))
	case "delete-account":
		return `{"confirmation":"DELETE","password":"` + s.house.password + `"}`
	case "create-notification":
		return fmt.Sprintf(`{"id":"notice_%d","name":"Notice","category":"product","subject":"Notice","text":"Notice."}`, s.sequence)
	case "create-collection", "update-collection":
		return fmt.Sprintf(`{"name":"Collection %d"}`, s.sequence)
	}
	for _, stop := range journey {
		if stop.id == op.OperationID && stop.body != "" && !strings.Contains(stop.body, "{mailed}") && !strings.Contains(stop.body, "{refresh}") {
			return stop.body
		}
	}
	return string(s.request(r))
}

// usual is who calls an operation.
func (s *survey) usual(r httpapi.Route) *guest {
	switch {
	case r.Access == httpapi.Public:
		return s.guest("anonymous")
	case r.Access == httpapi.Admin:
		return s.guest("administrator")
	case r.Operation.OperationID == "answer-survey":
		return s.guest("student")
	default:
		return s.guest("session")
	}
}

// exhausted calls an operation until its caller may not call any more today, or not that fast.
func (s *survey) exhausted(r httpapi.Route) {
	if r.Operation.Responses["429"] == nil {
		return
	}
	for range 300 {
		if s.once(s.valid(r, s.guest("starter key"))).status == http.StatusTooManyRequests {
			return
		}
	}
}

// report wants of each operation the good answer and all refusals that it documents. Nothing is left out: what is a fault of
// ours or of a server's (5xx) no caller can bring about, and all else can be.
func (s *survey) report() {
	statuses := map[int]int{}
	for _, r := range s.routes {
		op := r.Operation
		for status, n := range s.answered[op.OperationID] {
			statuses[status] += n
		}
		for text := range op.Responses {
			status, err := strconv.Atoi(text)
			require.NoError(s.t, err)
			if status < http.StatusInternalServerError && s.answered[op.OperationID][status] == 0 {
				s.t.Errorf("%s documents %d and never answered it: %v", op.OperationID, status, s.answered[op.OperationID])
			}
		}
	}
	for name, input := range s.faults {
		s.t.Errorf("%s\n\t%s", name, input)
	}
	s.t.Logf("%d calls, by status: %v", s.calls, statuses)
}

// random calls an operation with values that are drawn again for each call; the same ones in each run.
func (s *survey) random(r httpapi.Route, v *values, rounds int) {
	if slices.Contains(dear, r.Operation.OperationID) {
		rounds /= 3
	}
	usual := s.usual(r)
	for _, p := range r.Operation.Parameters {
		for _, value := range v.of(p.Schema, rounds/3) {
			s.ask(v.with(s.valid(r, usual), p, value))
		}
	}
	for range rounds {
		q := s.valid(r, s.guests[v.IntN(len(s.guests))])
		if v.IntN(2) == 0 {
			q.as = usual
			q = s.valid(r, usual)
		}
		for _, p := range r.Operation.Parameters {
			if v.IntN(4) == 0 {
				q = v.with(q, p, v.one(p.Schema))
			}
		}
		if v.IntN(3) == 0 {
			q.header = v.headers(q.header)
		}
		if r.Operation.RequestBody != nil {
			q.body = v.body(q.body)
		}
		s.ask(q)
	}
	if r.Operation.RequestBody == nil {
		return
	}
	for range rounds {
		q := s.valid(r, usual)
		q.body = v.body(q.body)
		s.ask(q)
	}
	for _, refused := range v.refusedBodies() {
		q := s.valid(r, usual)
		q.body, q.header = refused.body, refused.header
		s.ask(q)
	}
}

// dear are operations that hash a password with each call.
var dear = []string{"login", "register", "reset-password", "delete-account", "recover-account"}
