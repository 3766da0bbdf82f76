// Package tracking counts which mails are opened and which of their links are followed, by people and, separately, by machines:
// link scanners and the proxies of mail programs.
//
// Nothing is stored about the person except this verdict. It is made from the user agent during the request, and, when the
// counts are written, from other requests for the same mail within seconds.
package tracking

import (
	"crypto/rand"
	"encoding/base32"
	"regexp"
	"strings"
	"time"
)

// idBytes is 128 random bits, which cannot be guessed.
const idBytes = 16

var encoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// wellFormed reports whether an ID may have been issued.
var wellFormed = regexp.MustCompile(`^[a-z2-7]{26}$`)

// newID is the id of a mail or a link.
func newID() string {
	var random [idBytes]byte
	_, _ = rand.Read(random[:]) // never fails: without randomness the program ends
	return encoding.EncodeToString(random[:])
}

// Machines are recognized by their speed. A person needs longer to notice a mail, read it and follow a link.
const (
	soon   = 10 * time.Second // a request this soon after the delivery is a machine's
	burst  = 10 * time.Second // all links of a mail within this time are followed by a machine
	around = time.Minute      // other requests this long after, or up to burst before, are the same machine's
)

// machines are words in the user agents of programs that follow links or fetch images for others. Behind the proxies (Google's,
// Yahoo's) a person may or may not open the mail, so they are not counted as people.
var machines = []string{
	"bot", "crawl", "spider", "scan", "preview", "proxy", "prefetch", "headless", "phantom", "python", "curl", "wget", "java/",
	"go-http-client", "okhttp", "libwww", "httpclient", "axios", "node-fetch", "ruby", "perl", "php", "safelinks", "barracuda", "mimecast",
	"proofpoint", "symantec", "sophos", "fortinet", "fortimail", "trendmicro", "trend micro", "cisco", "ironport", "fireeye", "trellix",
	"mcafee", "checkpoint", "avanan", "zscaler", "netcraft", "urldefense", "forcepoint", "microsoft office", "ms-office", "outlook-",
	"microsoft-exchange", "googleimageproxy", "yahoomailproxy", "appengine-google", "slack", "whatsapp", "telegram", "facebookexternalhit",
}

// bareAgent is the user agent of Apple's mail privacy proxy; browsers that people use send more.
const bareAgent = "mozilla/5.0"

// isMachine classifies a user agent.
func isMachine(agent string) bool {
	agent = strings.ToLower(strings.TrimSpace(agent))
	if agent == "" || agent == bareAgent || !strings.Contains(agent, "/") {
		return true
	}
	for _, word := range machines {
		if strings.Contains(agent, word) {
			return true
		}
	}
	return false
}
