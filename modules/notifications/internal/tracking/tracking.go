// Package tracking counts which mails are opened and which of their links are followed, by people and, apart from them, by
// machines: link scanners and the proxies of mail programs.
//
// Of who opens a mail nothing is kept but the verdict. It is made while the request is answered, from the user agent, and when the
// counts are written, from what the same mail has met within seconds.
package tracking

import (
	"crypto/rand"
	"encoding/base32"
	"regexp"
	"strings"
	"time"
)

// idBytes makes addresses that nobody guesses: 128 random bits.
const idBytes = 16

var encoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// wellFormed tells ids that may have been given out.
var wellFormed = regexp.MustCompile(`^[a-z2-7]{26}$`)

// newID is the id of a mail or a link.
func newID() string {
	var random [idBytes]byte
	_, _ = rand.Read(random[:]) // never fails: it ends the program first
	return encoding.EncodeToString(random[:])
}

// Machines are told by their haste. A person needs longer to see that a mail has come, to read it, and to come to a link.
const (
	soon   = 10 * time.Second // whatever comes this soon after the delivery is a machine's
	burst  = 10 * time.Second // who follows all links of a mail within this is a machine
	around = time.Minute      // what else comes this long after, or up to burst before, is the same machine's
)

// machines are words in the user agents of programs that follow links or fetch images for others. Those of proxies (Google's,
// Yahoo's) may have a person behind them who opens the mail, or not: nobody can tell, so that they are not counted as people.
var machines = []string{
	"bot", "crawl", "spider", "scan", "preview", "proxy", "prefetch", "headless", "phantom", "python", "curl", "wget", "java/",
	"go-http-client", "okhttp", "libwww", "httpclient", "axios", "node-fetch", "ruby", "perl", "php", "safelinks", "barracuda", "mimecast",
	"proofpoint", "symantec", "sophos", "fortinet", "fortimail", "trendmicro", "trend micro", "cisco", "ironport", "fireeye", "trellix",
	"mcafee", "checkpoint", "avanan", "zscaler", "netcraft", "urldefense", "forcepoint", "microsoft office", "ms-office", "outlook-",
	"microsoft-exchange", "googleimageproxy", "yahoomailproxy", "appengine-google", "slack", "whatsapp", "telegram", "facebookexternalhit",
}

// bareAgent is what Apple's mail privacy proxy says of itself; no browser that a person uses says as little.
const bareAgent = "mozilla/5.0"

// isMachine judges a user agent.
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
