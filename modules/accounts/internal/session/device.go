package session

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// unknownDevice is shown for a client without a user agent.
const unknownDevice = "Unknown device"

const (
	agentMax = 512 // bytes of a user agent that are looked at
	tokenMax = 60  // characters of a product that are shown
)

// mark is a part of a user agent that identifies a family. The order matters: browsers also name older ones.
type mark struct{ sign, name string }

var browsers = []mark{
	{"EdgA/", "Edge"},
	{"EdgiOS/", "Edge"},
	{"Edg/", "Edge"},
	{"OPR/", "Opera"},
	{"OPiOS/", "Opera"},
	{"Vivaldi/", "Vivaldi"},
	{"SamsungBrowser/", "Samsung Internet"},
	{"YaBrowser/", "Yandex Browser"},
	{"DuckDuckGo/", "DuckDuckGo"},
	{"FxiOS/", "Firefox"},
	{"Firefox/", "Firefox"},
	{"CriOS/", "Chrome"},
	{"Chromium/", "Chromium"},
	{"Chrome/", "Chrome"},
	{"Safari/", "Safari"},
	{"Trident/", "Internet Explorer"},
	{"MSIE ", "Internet Explorer"},
}

var systems = []mark{
	{"iPhone", "iPhone"},
	{"iPad", "iPad"},
	{"Android", "Android"},
	{"CrOS", "ChromeOS"},
	{"Windows", "Windows"},
	{"Macintosh", "macOS"},
	{"Mac OS X", "macOS"},
	{"Linux", "Linux"},
	{"FreeBSD", "FreeBSD"},
}

// device returns the browser and system in a user agent: "Firefox on Linux", or the product of a program, "curl 8.5.0". It is only
// shown to the owner of the account: a client can send any user agent.
func device(agent string) string {
	if len(agent) > agentMax {
		agent = agent[:agentMax]
	}
	agent = strings.TrimSpace(strings.ToValidUTF8(agent, ""))
	if !strings.HasPrefix(agent, "Mozilla/") && !strings.HasPrefix(agent, "Opera/") {
		return product(agent)
	}
	browser, system := find(browsers, agent), find(systems, agent)
	switch {
	case browser != "" && system != "":
		return browser + " on " + system
	case browser != "":
		return browser
	case system != "":
		return "Browser on " + system
	}
	return product(agent)
}

func find(marks []mark, agent string) string {
	for _, m := range marks {
		if strings.Contains(agent, m.sign) {
			return m.name
		}
	}
	return ""
}

// product is the first word of a program's user agent, "name/version" as "name version".
func product(agent string) string {
	word, _, _ := strings.Cut(agent, " ")
	name, version, _ := strings.Cut(word, "/")
	text := strings.TrimSpace(printable(name) + " " + printable(version))
	if text == "" {
		return unknownDevice
	}
	if utf8.RuneCountInString(text) > tokenMax {
		text = strings.TrimSpace(string([]rune(text)[:tokenMax]))
	}
	return text
}

// printable removes characters that cannot be shown in a list.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || strings.ContainsRune("<>\"'&", r) {
			return -1
		}
		return r
	}, text)
}
