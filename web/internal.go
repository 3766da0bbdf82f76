package web

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"net/http/pprof" // nothing serves the default mux that it registers with
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/adaptor"

	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

const internalPrefix = "/_internal"

// addInternal adds metrics, profiles and readiness, behind the guard.
func (a *App) addInternal() {
	get := func(path string, h fiber.Handler) {
		a.Fiber.Get(internalPrefix+path, func(c *fiber.Ctx) error {
			err := h(c)
			c.Set(fiber.HeaderXContentTypeOptions, "nosniff") // pprof adds its own to ours
			return err
		})
	}
	get("/metrics", adaptor.HTTPHandler(a.options.Metrics.Handler()))
	get("/ready", a.ready.handle)
	get("/pprof", pprofIndex)
	get("/pprof/cmdline", adaptor.HTTPHandlerFunc(pprof.Cmdline))
	get("/pprof/profile", adaptor.HTTPHandlerFunc(pprof.Profile))
	get("/pprof/symbol", adaptor.HTTPHandlerFunc(pprof.Symbol))
	get("/pprof/trace", adaptor.HTTPHandlerFunc(pprof.Trace))
	for _, name := range profiles {
		get("/pprof/"+name, adaptor.HTTPHandler(pprof.Handler(name)))
	}
}

var profiles = []string{"allocs", "block", "goroutine", "heap", "mutex", "threadcreate"}

func pprofIndex(c *fiber.Ctx) error {
	return c.SendString(strings.Join(append([]string{"profile?seconds=30", "trace?seconds=5", "cmdline", "symbol"}, profiles...), "\n") + "\n")
}

// guard opens the internal pages to this machine and to holders of the internal token. To anybody else they do not
// exist.
type guard struct {
	peers peers
	token string
}

func (g guard) handle(c *fiber.Ctx) error {
	if g.peers.local(c) || g.holdsToken(c) {
		return c.Next()
	}
	return httpapi.NotFound(c)
}

// holdsToken compares in constant time; hashing first hides the length too.
func (g guard) holdsToken(c *fiber.Ctx) bool {
	sent, ok := strings.CutPrefix(c.Get(fiber.HeaderAuthorization), "Bearer ")
	if !ok || g.token == "" {
		return false
	}
	want, have := sha256.Sum256([]byte(g.token)), sha256.Sum256([]byte(sent))
	return subtle.ConstantTimeCompare(want[:], have[:]) == 1
}

// readiness says whether traffic is welcome: every module's check passes and no stop is under way.
type readiness struct {
	checks   []module.Check
	draining atomic.Bool
}

const checkTimeout = 2 * time.Second

func newReadiness(manifests []module.Manifest) *readiness {
	r := &readiness{}
	for _, m := range manifests {
		for _, check := range m.Checks {
			check.Name = m.Name + "." + check.Name
			r.checks = append(r.checks, check)
		}
	}
	return r
}

func (r *readiness) handle(c *fiber.Ctx) error {
	ctx, cancel := context.WithTimeout(c.UserContext(), checkTimeout)
	defer cancel()
	results := make([]string, len(r.checks))
	var wg sync.WaitGroup
	for i, check := range r.checks {
		wg.Go(func() {
			results[i] = "ok"
			if err := check.Run(ctx); err != nil {
				results[i] = err.Error()
			}
		})
	}
	wg.Wait()
	ready := !r.draining.Load()
	checks := make(map[string]string, len(results))
	for i, result := range results {
		checks[r.checks[i].Name] = result
		ready = ready && result == "ok"
	}
	status := http.StatusOK
	if !ready {
		status = http.StatusServiceUnavailable
	}
	c.Set(fiber.HeaderCacheControl, "no-store")
	return c.Status(status).JSON(fiber.Map{"ready": ready, "draining": r.draining.Load(), "checks": checks})
}
