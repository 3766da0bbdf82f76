package tracking

import (
	"encoding/base64"
	"html"
	"iter"
	"net/url"
	"regexp"
	"strings"

	"gpatlas/modules/notifications/internal/render"
	"gpatlas/templates/email"
)

// Paths of the two operations.
const (
	openPath  = "/v1/track/open/"
	openEnd   = ".png"
	clickPath = "/v1/track/click/"
)

// longest is the longest destination that is tracked: the tracked link must pass mail servers, too.
const longest = 1500

var (
	anchor  = regexp.MustCompile(`(?i)^(<a\b[^>]*?\bhref=")([^"]*)"`)
	inText  = regexp.MustCompile(`https?://[^\s<>"]+`)
	bodyEnd = "</body>"
)

// links are the tracked links of one mail: their ids by destination.
type links struct {
	base   string
	mailID string
	ids    map[string]string
	hidden string // ID of the link that people do not see; its destination is the base
}

// destinations are the destinations of a mail's links, each once, in order.
func destinations(content email.Content, to render.Links) []string {
	var list []string
	seen := map[string]bool{}
	add := func(destination string) {
		if !seen[destination] && trackable(destination, to) {
			seen[destination] = true
			list = append(list, destination)
		}
	}
	for at, end := range hrefs(content.HTML) {
		add(html.UnescapeString(content.HTML[at:end]))
	}
	for _, found := range inText.FindAllString(content.Text, -1) {
		add(found)
	}
	return list
}

// hrefs returns the positions of the links' destinations. The expression is tried only where a tag begins, because it would be
// slow over a whole mail.
func hrefs(text string) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for at := 0; ; {
			begin := strings.IndexByte(text[at:], '<')
			if begin < 0 {
				return
			}
			at += begin
			if len(text) == at+1 || text[at+1]|0x20 != 'a' {
				at++
				continue
			}
			found := anchor.FindStringSubmatchIndex(text[at:])
			if found == nil {
				at++
				continue
			}
			if !yield(at+found[4], at+found[5]) {
				return
			}
			at += found[1]
		}
	}
}

// trackable reports whether clicks on a link are counted: absolute web URLs, except those by which people choose their mails.
func trackable(destination string, to render.Links) bool {
	u, err := url.Parse(destination)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && u.Scheme != "http" || len(destination) > longest {
		return false
	}
	if strings.ContainsFunc(destination, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }) {
		return false
	}
	return destination != to.Preferences && (to.Unsubscribe == "" || !strings.HasPrefix(destination, to.Unsubscribe))
}

// click is the URL of a tracked link, or the destination itself if the link is not tracked.
func (l links) click(destination string) string {
	id, tracked := l.ids[destination]
	if !tracked {
		return destination
	}
	return l.clickURL(id, destination)
}

func (l links) clickURL(id, destination string) string {
	return l.base + clickPath + id + "?url=" + base64.RawURLEncoding.EncodeToString([]byte(destination))
}

// rewrite puts tracked links and a pixel into a mail. Texts that show a URL keep showing the destination.
func (l links) rewrite(content email.Content) email.Content {
	end := `<div style="display:none;max-height:0;overflow:hidden" aria-hidden="true"><a href="` + html.EscapeString(l.clickURL(l.hidden, l.base)) +
		`" tabindex="-1" rel="nofollow"></a></div>` + "\n" +
		`<img src="` + html.EscapeString(l.base+openPath+l.mailID+openEnd) + `" width="1" height="1" alt="" style="display:block;border:0">` + "\n"
	var b strings.Builder
	b.Grow(2*len(content.HTML) + len(end))
	write := func(text string) { _, _ = b.WriteString(text) } // never fails
	done := 0
	for at, end := range hrefs(content.HTML) {
		write(content.HTML[done:at])
		write(html.EscapeString(l.click(html.UnescapeString(content.HTML[at:end]))))
		done = end
	}
	rest := content.HTML[done:]
	if at := strings.LastIndex(rest, bodyEnd); at >= 0 {
		write(rest[:at])
		rest = rest[at:]
	} else {
		write(rest)
		rest = ""
	}
	write(end)
	write(rest)
	content.HTML = b.String()
	content.Text = inText.ReplaceAllStringFunc(content.Text, l.click)
	return content
}
