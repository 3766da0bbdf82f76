//go:build cluster

package scripts_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fault is what happens to one part of the cluster.
type fault struct {
	part   string // the name of a process, or "primary of" or "standby of" a kind
	signal string // a command of scripts/cluster.sh
	limit  time.Duration
	short  bool // also in the short run
}

// slack allows for a busy machine.
const slack = 2

// The limits are how long details and writes may fail. Searches answer throughout: one search may fail when a web process is
// killed in the middle of it.
var faults = []fault{
	{"primary of pg", "kill", 8 * time.Second, true},
	{"standby of pg", "kill", 0, false},
	{"primary of redis", "kill", 0, true},
	{"web1", "kill", time.Second, true},
	{"worker1", "kill", 0, true},
	{"web2", "term", 0, false},
	{"primary of pg", "stop", 25 * time.Second, true},
	{"etcd1", "kill", 0, false},
	{"sentinel2", "stop", 0, false},
	{"primary of redis", "stop", 0, false},
	{"standby of pg", "stop", 25 * time.Second, false}, // commits wait for a synchronous standby until Patroni names another
	{"etcd2", "stop", 25 * time.Second, false},         // Patroni of the primary may have to try another member
	{"haproxy", "kill", 5 * time.Second, false},        // until it is started again
	{"worker2", "stop", 0, false},
	{"web2", "stop", 5 * time.Second, false},
}

// TestCluster kills and stops each part of a cluster in turn, under searches, details, charges, registrations, their emails
// and one ingestion. Afterwards, what was acknowledged to the clients is there, every charge and email exactly once.
func TestCluster(t *testing.T) {
	c := newCluster(t)
	c.signUpPayers(10)
	load := []*probe{
		c.probe("searches", 50*time.Millisecond, c.search),
		c.probe("details", 100*time.Millisecond, c.detail),
		c.probe("charges", 500*time.Millisecond, c.charge),
		c.probe("registrations", time.Second, c.register),
	}
	t.Log("| part | what | searches | details | charges | registrations |\n|---|---|---|---|---|---|")
	for i, f := range faults {
		if os.Getenv("CLUSTER_SHORT") != "" && !f.short {
			continue
		}
		name := c.name(f.part)
		c.script(f.signal, name)
		var ingestion *exec.Cmd
		if i == 0 { // amid a failover: it succeeds, or says so
			ingestion = c.command("run", "ingest", c.more)
			require.NoError(t, ingestion.Start())
		}
		if f.part == "haproxy" {
			c.script("start", name)
		}
		row := []string{f.part, f.signal}
		for k, away := range settle(t, load) {
			row = append(row, fmt.Sprintf("%.1f s", away.Seconds()))
			limit := f.limit
			if k == 0 && f.part != "haproxy" {
				limit = min(limit, time.Second)
			}
			assert.LessOrEqual(t, away, slack*limit+time.Second, "%s after %s of %s (%s)", load[k].name, f.signal, f.part, name)
		}
		t.Log("| " + strings.Join(row, " | ") + " |")
		if f.signal == "stop" {
			c.script("cont", name)
		} else {
			c.script("start", name)
		}
		if ingestion != nil {
			_ = ingestion.Wait()
			c.eventually("a load after the failover", func() bool { return c.command("run", "ingest", c.more).Run() == nil })
		}
		c.healthy()
		settle(t, load)
	}
	for _, p := range load {
		p.stop()
		t.Logf("%s: %d, of which %d failed", p.name, p.total, p.failed)
	}
	c.holds()
}

type process struct {
	Name, Kind, Role, Address string
	PID                       *int
}

// cluster is a running cluster, with the clients' own book of what was acknowledged to them.
type cluster struct {
	*testing.T
	dir, url, more string
	client         *http.Client

	crds   []string
	payers []string // their email addresses

	registered []string
	charged    map[string]int // by payer
	pending    payment

	mu   sync.Mutex
	turn int
}

const password = "a quiet harbour at dawn"

func newCluster(t *testing.T) *cluster {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "cluster")
	for folder := filepath.Dir(dir); folder != os.TempDir() && folder != "/"; folder = filepath.Dir(folder) {
		require.NoError(t, os.Chmod(folder, 0o755)) // PostgreSQL runs as another user if we are root
	}
	c := &cluster{T: t, dir: dir, client: &http.Client{Timeout: 10 * time.Second}, charged: map[string]int{}}
	t.Cleanup(func() { c.script("down") })
	begun := time.Now()
	c.script("up", dir)
	t.Logf("up after %.0f s", time.Since(begun).Seconds())
	var status struct{ URL string }
	require.NoError(t, json.Unmarshal([]byte(c.script("status", "--json")), &status))
	c.url = status.URL
	sample := filepath.Join(t.TempDir(), "sample")
	c.script("run", "sample", "--scale", "small", "--out", sample)
	archives, err := filepath.Glob(filepath.Join(sample, "ADV_Filing_Data_*.zip"))
	require.NoError(t, err)
	require.NotEmpty(t, archives)
	last := slices.Max(archives)
	c.more = filepath.Join(t.TempDir(), filepath.Base(last))
	require.NoError(t, os.Rename(last, c.more))
	c.script("run", "ingest", sample)
	c.eventually("a catalog", func() bool {
		var list struct {
			Data []struct{ CRD string }
		}
		if c.ask(http.MethodGet, "/v1/gps?sort=aum&limit=50", "", nil, &list) != http.StatusOK {
			return false
		}
		c.crds = nil
		for _, gp := range list.Data {
			c.crds = append(c.crds, gp.CRD)
		}
		return len(c.crds) == 50
	})
	return c
}

func (c *cluster) command(arguments ...string) *exec.Cmd {
	command := exec.Command("./cluster.sh", arguments...)
	command.Env = append(os.Environ(), "CLUSTER_DIR="+c.dir, "ANONYMOUS_LIMITS=off", "DATABASE_MAX_CONNS=8")
	return command
}

func (c *cluster) script(arguments ...string) string {
	c.Helper()
	command := c.command(arguments...)
	var faults bytes.Buffer
	command.Stderr = &faults
	output, err := command.Output()
	require.NoError(c, err, "cluster.sh %s: %s", strings.Join(arguments, " "), faults.String())
	return string(output)
}

func (c *cluster) status() (found []process) {
	c.Helper()
	var status struct{ Processes []process }
	require.NoError(c, json.Unmarshal([]byte(c.script("status", "--json")), &status))
	return status.Processes
}

// name finds the process that a fault names by its role.
func (c *cluster) name(part string) string {
	c.Helper()
	role, kind, byRole := strings.Cut(part, " of ")
	if !byRole {
		return part
	}
	for _, p := range c.status() {
		primary := p.Role == "master" || p.Role == "primary" || p.Role == "leader"
		if p.Kind == kind && p.PID != nil && primary == (role == "primary") {
			return p.Name
		}
	}
	require.Fail(c, "there is no "+part)
	return ""
}

// healthy waits until each process runs, and PostgreSQL and Redis have one primary and two standbys each.
func (c *cluster) healthy() {
	c.Helper()
	c.eventually("a whole cluster", func() bool {
		roles, members := map[string]int{}, ""
		for _, p := range c.status() {
			if p.PID == nil {
				return false
			}
			roles[p.Kind+" "+p.Role]++
			if p.Kind == "patroni" {
				members = c.members(p.Address)
			}
		}
		return roles["redis master"] == 1 && roles["redis slave"] == 2 && roles["pg replica"] == 2 && strings.Contains(members, "sync_standby")
	})
}

// members asks a Patroni for the servers and their roles.
func (c *cluster) members(address string) string {
	response, err := c.client.Get("http://" + address + "/cluster")
	if err != nil {
		return ""
	}
	defer func() { _ = response.Body.Close() }()
	text, _ := io.ReadAll(response.Body)
	return string(text)
}

func (c *cluster) eventually(what string, condition func() bool) {
	c.Helper()
	require.Eventually(c, condition, 3*time.Minute, 500*time.Millisecond, what)
}

// ask makes a call and decodes its answer; 0 is a call without an answer.
func (c *cluster) ask(method, path, token string, body, answer any) int {
	status, _ := c.call(method, path, token, "", body, answer)
	return status
}

func (c *cluster) call(method, path, token, name string, body, answer any) (int, http.Header) {
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return 0, nil
		}
		sent = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(c.Context(), method, c.url+path, sent)
	if err != nil {
		return 0, nil
	}
	request.Header.Set("Content-Type", "application/json")
	c.mu.Lock()
	c.turn++
	request.Header.Set("X-Forwarded-For", fmt.Sprintf("203.0.%d.%d", c.turn/250%250, c.turn%250)) // registrations are limited by address
	c.mu.Unlock()
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if name != "" {
		request.Header.Set("Idempotency-Key", name)
	}
	response, err := c.client.Do(request)
	if err != nil {
		return 0, nil
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil || answer != nil && response.StatusCode < 300 && json.Unmarshal(text, answer) != nil {
		return 0, nil
	}
	return response.StatusCode, response.Header
}

func (c *cluster) next(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn++
	return c.turn % n
}

func (c *cluster) search() bool {
	return c.ask(http.MethodGet, "/v1/gps?state=NY&limit=5", "", nil, nil) == http.StatusOK
}

func (c *cluster) detail() bool {
	return c.ask(http.MethodGet, "/v1/gps/"+c.crds[c.next(len(c.crds))], "", nil, nil) == http.StatusOK
}

// payment is a call that is repeated under its name until it is answered.
type payment struct {
	email, token, name string
}

// charge pays $0.15 for the figures of a manager.
func (c *cluster) charge() bool {
	if c.pending.name == "" {
		n := c.next(1 << 30)
		c.pending = payment{c.payers[n%len(c.payers)], "", fmt.Sprintf("charge-%d", n)}
	}
	p := &c.pending
	if p.token == "" {
		if p.token = c.signIn(p.email); p.token == "" {
			return false
		}
	}
	switch status, _ := c.call(http.MethodGet, "/v1/gps/"+c.crds[0]+"/metrics", p.token, p.name, nil, nil); status {
	case http.StatusOK:
		c.charged[p.email]++
		p.name = ""
		return true
	case http.StatusUnauthorized:
		p.token = ""
	}
	return false
}

func (c *cluster) signIn(email string) string {
	var pair struct {
		AccessToken string `json:"access_token"`
	}
	c.ask(http.MethodPost, "/v1/auth/login", "", map[string]any{"username": email, "password": password}, &pair)
	return pair.AccessToken
}

func (c *cluster) register() bool {
	email := fmt.Sprintf("person%d@larkspur.example", c.next(1<<30))
	status := c.ask(http.MethodPost, "/v1/auth/register", "", map[string]any{"email": email, "password": password, "full_name": "Ada Larkspur"}, nil)
	if status/100 == 2 {
		c.registered = append(c.registered, email)
	}
	return status/100 == 2
}

// signUpPayers makes accounts that may spend without limit.
func (c *cluster) signUpPayers(n int) {
	c.Helper()
	for range n {
		require.True(c, c.register())
	}
	c.payers = slices.Clone(c.registered)
	for _, email := range c.payers {
		c.eventually("an email to "+email, func() bool { return c.mails()[email].token != "" })
		require.Equal(c, http.StatusOK, c.ask(http.MethodPost, "/v1/auth/verify-email", "", map[string]any{"token": c.mails()[email].token}, nil))
		token := c.signIn(email)
		require.NotEmpty(c, token)
		require.Equal(c, http.StatusOK, c.ask(http.MethodPut, "/v1/settings/spending-cap", token, map[string]any{"cap": 100000}, nil))
	}
	token, answers := c.signIn(c.payers[0]), []string{}
	for i, crd := range c.crds { // one whose figures are not empty, which would be free
		status, header := c.call(http.MethodGet, "/v1/gps/"+crd+"/metrics", token, "first-"+crd, nil, nil)
		if header.Get("X-Charge") == "0.15" {
			c.crds[0], c.crds[i] = crd, c.crds[0]
			break
		}
		answers = append(answers, fmt.Sprint(status, " ", header))
	}
	require.Less(c, len(answers), len(c.crds), "no manager has figures: %s", answers)
	c.charged[c.payers[0]]++
}

// holds compares the service with the clients' book, and the two web processes with each other.
func (c *cluster) holds() {
	c.Helper()
	tags := map[string]bool{}
	for _, p := range c.status() {
		if p.Kind == "web" {
			response, err := c.client.Get("http://" + p.Address + "/v1/gps?state=NY&limit=5")
			require.NoError(c, err)
			require.NoError(c, response.Body.Close())
			tags[response.Header.Get("ETag")] = true
		}
	}
	require.Len(c, tags, 1, "the same publication has the same tag in all processes: %v", tags)
	c.limited()
	for _, email := range c.registered {
		require.NotEmpty(c, c.signIn(email), "%s was registered", email)
	}
	for _, email := range c.payers {
		var purchases struct {
			Meta struct{ Amount json.Number }
		}
		require.Equal(c, http.StatusOK, c.ask(http.MethodGet, "/v1/me/purchases", c.signIn(email), nil, &purchases))
		amount, err := purchases.Meta.Amount.Float64()
		require.NoError(c, err)
		require.InDelta(c, 0.15*float64(c.charged[email]), amount, 1e-9, "what %s has paid", email)
	}
	c.Log(c.script("run", "billing", "verify"))
	var mails map[string]received
	c.eventually("an email for each registration", func() bool {
		mails = c.mails()
		return !slices.ContainsFunc(c.registered, func(email string) bool { return mails[email].token == "" })
	})
	seen := map[string]bool{}
	for email, to := range mails {
		for _, id := range to.ids {
			require.False(c, seen[id], "the email %s to %s was sent twice", id, email)
			seen[id] = true
		}
	}
	c.Logf("%d registrations, %d emails, each once", len(c.registered), len(seen))
}

var (
	recipient = regexp.MustCompile(`(?im)^To: .*?([^\s<>]+@[^\s<>]+)`)
	messageID = regexp.MustCompile(`(?im)^Message-ID: (\S+)`)
	confirms  = regexp.MustCompile(`(?m)^http.*verify-email\?token=([A-Za-z0-9_-]+)`)
)

// limited calls with one key at once: both processes together let its burst pass, and no more.
func (c *cluster) limited() {
	c.Helper()
	const burst, calls = 10, 60
	var made struct{ Key string }
	require.Equal(c, http.StatusCreated, c.ask(http.MethodPost, "/v1/api-keys", c.signIn(c.payers[0]), map[string]any{"name": "burst", "tier": "starter", "mode": "live"}, &made))
	begun, statuses := time.Now(), make(chan int, calls)
	for range calls {
		go func() { statuses <- c.ask(http.MethodGet, "/v1/gps?limit=1", made.Key, nil, nil) }()
	}
	passed := 0
	for range calls {
		if status := <-statuses; status == http.StatusOK {
			passed++
		} else {
			require.Equal(c, http.StatusTooManyRequests, status)
		}
	}
	windows := int(time.Since(begun)/(5*time.Second)) + 2 // those that the calls may have touched
	require.GreaterOrEqual(c, passed, burst)
	require.LessOrEqual(c, passed, burst*windows)
}

// received are the emails to one address.
type received struct {
	ids   []string // Message-IDs
	token string   // of the link that confirms the address
}

func (c *cluster) mails() map[string]received {
	c.Helper()
	files, err := filepath.Glob(filepath.Join(c.dir, "mail", "*.eml"))
	require.NoError(c, err)
	byAddress := map[string]received{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(c, err)
		to, id := recipient.FindSubmatch(text), messageID.FindSubmatch(text)
		require.NotNil(c, to, file)
		require.NotNil(c, id, file)
		of := byAddress[string(to[1])]
		of.ids = append(of.ids, string(id[1]))
		if link := confirms.FindSubmatch(text); link != nil {
			of.token = string(link[1])
		}
		byAddress[string(to[1])] = of
	}
	return byAddress
}

// probe repeats a call and notes how long it failed.
type probe struct {
	name          string
	total, failed int

	mu         sync.Mutex
	failing    time.Time // since when; zero: the last call succeeded
	away       time.Duration
	done, over chan struct{}
}

func (c *cluster) probe(name string, every time.Duration, call func() bool) *probe {
	p := &probe{name: name, done: make(chan struct{}), over: make(chan struct{})}
	go func() {
		defer close(p.over)
		ticks := time.NewTicker(every)
		defer ticks.Stop()
		for {
			select {
			case <-p.done:
				return
			case <-ticks.C:
			}
			begun := time.Now()
			p.note(call(), begun)
		}
	}()
	return p
}

func (p *probe) note(succeeded bool, begun time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total++
	if !succeeded {
		p.failed++
		if p.failing.IsZero() {
			p.failing = begun
		}
		return
	}
	if !p.failing.IsZero() {
		p.away = max(p.away, time.Since(p.failing))
	}
	p.failing = time.Time{}
}

// settled is how long a probe must succeed after a fault before the next one.
const settled = 6 * time.Second

// settle waits until all calls have succeeded for a while, and returns the longest time that each failed since the last time.
func settle(t *testing.T, load []*probe) (away []time.Duration) {
	t.Helper()
	since := time.Now()
	failing := ""
	require.Eventually(t, func() bool {
		for _, p := range load {
			p.mu.Lock()
			if !p.failing.IsZero() {
				failing, since = p.name, time.Now()
			}
			p.mu.Unlock()
		}
		return time.Since(since) >= settled
	}, 2*time.Minute, 100*time.Millisecond, "calls fail for ever, %s last", failing)
	for _, p := range load {
		p.mu.Lock()
		away, p.away = append(away, p.away), 0
		p.mu.Unlock()
	}
	return away
}

func (p *probe) stop() {
	close(p.done)
	<-p.over
}
