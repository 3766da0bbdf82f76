// Package browser drives a real Chromium for tests of pages: open, type, click, read. It is the only package that uses its
// library, whose API changes.
package browser

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// patience is how long one step may take.
const patience = 30 * time.Second

// Browser is a running Chromium.
type Browser struct{ ctx context.Context }

// Start starts Chromium; it ends with the test. Without Chromium the test is skipped, but on a build server (CI is set) it
// fails: scripts/install.sh --test installs it.
func Start(tb testing.TB) *Browser {
	tb.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		require.Empty(tb, os.Getenv("CI"), //nolint:forbidigo // no setting of the service
			"there is no Chromium: scripts/install.sh --test installs it")
		tb.Skip("PAGES ARE NOT TRIED IN A BROWSER: there is no Chromium; scripts/install.sh --test installs it")
	}
	ctx, cancel := chromedp.NewContext(context.WithoutCancel(tb.Context()), chromedp.WithAllocatorOptions(
		chromedp.ExecPath(path), chromedp.DisableGPU, chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
	), chromedp.WithErrorf(func(string, ...any) {})) // what goes wrong comes back as an error
	tb.Cleanup(func() { _ = chromedp.Cancel(ctx); cancel() })
	require.NoError(tb, chromedp.Do(ctx), "start %s", path)
	return &Browser{ctx}
}

// Options are the properties of a Tab.
type Options struct {
	Width, Height int64 // of the window; 0 = 1280 × 900
	Dark          bool  // the person prefers dark pages
	NoScript      bool  // scripts of pages do not run
}

// Tab is one tab, with cookies of its own.
type Tab struct {
	tb     testing.TB
	ctx    context.Context
	mu     sync.Mutex
	faults []string
}

// Tab opens a tab; it closes with the test.
func (b *Browser) Tab(tb testing.TB, o Options) *Tab {
	tb.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	tb.Cleanup(cancel)
	t := &Tab{tb: tb, ctx: ctx}
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleException || m.Type == chromedp.ConsoleWarning {
				t.mu.Lock()
				t.faults = append(t.faults, m.String())
				t.mu.Unlock()
			}
		}
	}()
	if o.Width == 0 {
		o.Width, o.Height = 1280, 900
	}
	scheme := "light"
	if o.Dark {
		scheme = "dark"
	}
	t.do(chromedp.EmulateViewport(o.Width, o.Height), func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		if err == nil && o.NoScript {
			_, err = cdp.Call(ctx, target, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		}
		return chromedp.Void{}, err
	})
	return t
}

// do runs steps, each within patience.
func (t *Tab) do(steps ...chromedp.Action[chromedp.Void]) {
	t.tb.Helper()
	ctx, cancel := context.WithTimeout(t.ctx, patience)
	defer cancel()
	require.NoError(t.tb, chromedp.Do(ctx, steps...))
}

func run[T any](t *Tab, action chromedp.Action[T]) T {
	t.tb.Helper()
	ctx, cancel := context.WithTimeout(t.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, action)
	require.NoError(t.tb, err)
	return value
}

// Open goes to a URL and waits until it is loaded.
func (t *Tab) Open(url string) {
	t.tb.Helper()
	t.do(chromedp.Navigate(url))
}

// Type types into the field that a CSS selector finds.
func (t *Tab) Type(selector, text string) {
	t.tb.Helper()
	t.do(chromedp.SendKeys(chromedp.CSS(selector), text))
}

// Click clicks on what a CSS selector finds and waits for the page that follows.
func (t *Tab) Click(selector string) {
	t.tb.Helper()
	run(t, chromedp.WaitEvent(page.LoadEventFired, nil, chromedp.Click(chromedp.CSS(selector))))
}

// Tabulate presses the Tab key.
func (t *Tab) Tabulate() {
	t.tb.Helper()
	t.do(chromedp.KeyEvent(kb.Tab))
}

// Enter presses the Enter key and waits for the page that follows.
func (t *Tab) Enter() {
	t.tb.Helper()
	run(t, chromedp.WaitEvent(page.LoadEventFired, nil, chromedp.KeyEvent(kb.Enter)))
}

// Text is the visible text of what a CSS selector finds.
func (t *Tab) Text(selector string) string {
	t.tb.Helper()
	return strings.TrimSpace(run(t, chromedp.Text(chromedp.CSS(selector))))
}

// URL is where the tab is.
func (t *Tab) URL() string {
	t.tb.Helper()
	return run(t, chromedp.Location())
}

// Eval evaluates an expression like the developer tools: the page's policy does not apply to it.
func Eval[T any](t *Tab, expression string) T {
	t.tb.Helper()
	return run(t, chromedp.Evaluate[T](expression))
}

// axeVersion is the version of axe-core that scripts/install.sh --test fetches.
const axeVersion = "4.14.1"

// axeSource is axe-core; empty where it was not fetched.
var axeSource = sync.OnceValue(func() string {
	root, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return ""
	}
	source, _ := os.ReadFile(filepath.Join(filepath.Dir(strings.TrimSpace(string(root))), "bin", "axe-core-"+axeVersion, "axe.min.js"))
	return string(source)
})

// Axe returns what axe-core finds against the rules of WCAG 2.2 AA and its own best practice: each rule with the elements that break it. Without
// axe-core it logs so and finds nothing.
func (t *Tab) Axe() []string {
	t.tb.Helper()
	if axeSource() == "" {
		t.tb.Log("PAGES ARE NOT TRIED WITH AXE-CORE: scripts/install.sh --test fetches it")
		return nil
	}
	return run(t, chromedp.Evaluate[[]string](axeSource()+`;
axe.run(document, {resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]})
	.then(r => r.violations.map(v => v.id + ": " + v.help + ": " + v.nodes.map(n => n.target.join(" ")).join(", ")))`, chromedp.EvalAwaitPromise))
}

// Cookie is a cookie that the browser keeps for the page.
type Cookie struct {
	Name             string
	Secure, HTTPOnly bool
	SameSite         string
}

// Cookies are those that the browser keeps for the page.
func (t *Tab) Cookies() (list []Cookie) {
	t.tb.Helper()
	result := run(t, func(ctx context.Context, target *chromedp.Target) (network.GetCookiesResult, error) {
		return cdp.Call(ctx, target, network.GetCookies, network.GetCookiesParams{})
	})
	for _, c := range result.Cookies {
		list = append(list, Cookie{c.Name, c.Secure, c.HTTPOnly, string(c.SameSite)})
	}
	return list
}

// Shot writes a picture of the page into a file.
func (t *Tab) Shot(file string) {
	t.tb.Helper()
	require.NoError(t.tb, os.WriteFile(file, run(t, chromedp.FullScreenshot(100)), 0o600))
}

// View writes a picture of what a window shows of the page into a file.
func (t *Tab) View(file string) {
	t.tb.Helper()
	require.NoError(t.tb, os.WriteFile(file, run(t, chromedp.CaptureScreenshot()), 0o644)) //nolint:gosec // it may be kept in the repository
}

// Faults are the console's errors and warnings so far: what the page's policy refused, what could not be loaded.
func (t *Tab) Faults() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.faults
}
