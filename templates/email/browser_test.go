package email_test

import (
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/browser"
)

// looks are what mails are looked at in.
var looks = map[string]browser.Options{
	"light": {Width: 700, Height: 900}, "dark": {Width: 700, Height: 900, Dark: true}, "narrow": {Width: 320, Height: 640},
}

// TestBrowser tries every mail in a real browser, in light, dark and narrow: nothing is wider than the window, texts can be told
// from what is behind them, and links can be seen to be links. With GPATLAS_SHOTS=folder it leaves the mails and pictures of
// them there: `make mails`.
func TestBrowser(t *testing.T) {
	t.Parallel()
	shots := os.Getenv("GPATLAS_SHOTS")
	folder := shots
	if folder == "" {
		folder = t.TempDir()
	}
	folder, err := filepath.Abs(folder)
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(folder, 0o755))
	for name, m := range mails() {
		content, err := m.Content()
		require.NoError(t, err)
		file := filepath.Join(folder, name+".html")
		require.NoError(t, os.WriteFile(file, []byte(content.HTML), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(folder, name+".txt"), []byte("Subject: "+content.Subject+"\n\n"+content.Text), 0o600))
	}
	b := browser.Start(t)
	for look, options := range looks {
		tab := b.Tab(t, options)
		for _, name := range slices.Sorted(maps.Keys(mails())) {
			tab.Open((&url.URL{Scheme: "file", Path: filepath.Join(folder, name+".html")}).String())
			require.Empty(t, browser.Eval[[]string](tab, faultsOfMails), "%s, %s", name, look)
			require.Empty(t, tab.Faults(), "%s, %s", name, look)
			if shots != "" {
				tab.Shot(filepath.Join(folder, name+"-"+look+".png"))
			}
		}
	}
}

// faultsOfMails lists what is wrong with how the mail looks: width, and the contrast of each text, 4.5 to 1 as WCAG has it.
const faultsOfMails = `(() => {
	const faults = [];
	if (document.documentElement.scrollWidth > innerWidth) faults.push("scrolls sideways: " + document.documentElement.scrollWidth);
	const parse = c => (c.match(/[\d.]+/g) || []).map(Number);
	const light = ([r, g, b]) => [r, g, b].map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
		.reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
	const behind = e => {
		for (; e; e = e.parentElement) {
			const c = parse(getComputedStyle(e).backgroundColor);
			if (c.length === 3 || c[3] > 0) return c;
		}
		return [255, 255, 255];
	};
	for (const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); walk.nextNode();) {
		const e = walk.currentNode.parentElement, text = walk.currentNode.data.trim();
		if (!text || !e.checkVisibility() || e.closest("div[style*='max-height']")) continue;
		const a = light(parse(getComputedStyle(e).color)), b = light(behind(e));
		const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (contrast < 4.5) faults.push("contrast " + contrast.toFixed(2) + ": " + text);
	}
	for (const a of document.querySelectorAll("a[href]"))
		if (!a.matches(".button") && !getComputedStyle(a).textDecorationLine.includes("underline")) faults.push("not underlined: " + a.textContent);
	return faults;
})()`
