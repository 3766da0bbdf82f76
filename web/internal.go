package web

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/pprof" // the default mux that it registers with is never served
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/adaptor"

	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

const internalPrefix = "/_internal"

// internalPages are metrics, profiles and readiness: for operators, never for callers.
func (a *App) internalPages() map[string]http.Handler {
	pages := map[string]http.Handler{
		"/metrics":       a.options.Metrics.Handler(),
		"/ready":         a.ready,
		"/pprof":         http.HandlerFunc(pprofIndex),
		"/pprof/cmdline": http.HandlerFunc(pprof.Cmdline),
		"/pprof/profile": http.HandlerFunc(pprof.Profile),
		"/pprof/symbol":  http.HandlerFunc(pprof.Symbol),
		"/pprof/trace":   http.HandlerFunc(pprof.Trace),
	}
	for _, name := range profiles {
		pages["/pprof/"+name] = pprof.Handler(name)
	}
	return pages
}

// addInternal adds the internal pages to the public port, behind the guard.
func (a *App) addInternal() {
	pages := a.internalPages()
	for _, path := range slices.Sorted(maps.Keys(pages)) {
		page := adaptor.HTTPHandler(pages[path])
		a.Fiber.Get(internalPrefix+path, func(c *fiber.Ctx) error {
			err := page(c)
			c.Set(fiber.HeaderXContentTypeOptions, "nosniff") // pprof adds its own to ours
			return err
		})
	}
}

var profiles = []string{"allocs", "block", "goroutine", "heap", "mutex", "threadcreate"}

func pprofIndex(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set(fiber.HeaderContentType, fiber.MIMETextPlainCharsetUTF8)
	list := append([]string{"profile?seconds=30", "trace?seconds=5", "cmdline", "symbol"}, profiles...)
	_, _ = io.WriteString(w, strings.Join(list, "\n")+"\n")
}

// guard opens the internal pages of the public port to holders of the internal token. For all others they do not exist, from
// any IP address, because a proxy on this machine calls from here for all callers.
type guard struct{ token string }

func (g guard) handle(c *fiber.Ctx) error {
	if g.holdsToken(c) {
		return c.Next()
	}
	return httpapi.NotFound(c)
}

// holdsToken compares in constant time; hashing first hides the length too.
func (g guard) holdsToken(c *fiber.Ctx) bool {
	sent := c.Request().Header.PeekAll(fiber.HeaderAuthorization)
	if g.token == "" || len(sent) != 1 {
		return false
	}
	token, ok := bearer(sent[0])
	if !ok {
		return false
	}
	want, have := sha256.Sum256([]byte(g.token)), sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(want[:], have[:]) == 1
}

// readiness reports whether the process is ready: every module's check passes and no stop is in progress.
type readiness struct {
	checks   []module.Check
	draining atomic.Bool
}

// checkTimeout leaves time to answer within two seconds, which is how long probes commonly wait.
const checkTimeout = 1800 * time.Millisecond

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

// ServeHTTP answers 200 or 503, with the result of each check.
func (r *readiness) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	// Fiber's context is not passed on: its end, at the stop of the server, is not safe to wait for.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(request.Context()), checkTimeout)
	defer cancel()
	results := make([]<-chan string, len(r.checks))
	for i, check := range r.checks {
		result := make(chan string, 1)
		results[i] = result
		go func() {
			if err := check.Run(ctx); err != nil {
				result <- err.Error()
				return
			}
			result <- "ok"
		}()
	}
	draining := r.draining.Load()
	ready := !draining
	checks := make(map[string]string, len(results))
	for i, result := range results {
		name := r.checks[i].Name
		select {
		case checks[name] = <-result:
		case <-ctx.Done(): // a client may wait for a server longer than its context allows
			checks[name] = "no answer in time"
		}
		ready = ready && checks[name] == "ok"
	}
	w.Header().Set(fiber.HeaderCacheControl, "no-store")
	w.Header().Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
	if !ready {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(fiber.Map{"ready": ready, "draining": draining, "checks": checks}) // a caller who has gone needs no response
}
