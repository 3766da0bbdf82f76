package derive

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/publicsuffix"

	"gpatlas/modules/catalog/internal/text"
)

// Page is whose page an address leads to.
type Page int

// The kinds of pages.
const (
	NoPage     Page = iota // no address
	FirmPage               // a site that is not on a social network
	SocialPage             // a page on a social network, a directory or a search engine
	PersonPage             // by its path the page of one person
)

// WebsiteOf reads one address of Schedule D, item 1.I, as Website does, and says whose page it is. Of pages on social networks the query is
// dropped: it identifies visitors.
func WebsiteOf(filed string) (string, Page) {
	if site, own := Website(filed); own {
		if u := address(site); u != nil && personal(u) {
			return "", PersonPage
		}
		return site, FirmPage
	}
	u := address(filed)
	switch {
	case u == nil:
		return "", NoPage
	case ofPerson(u.Hostname(), u.Path):
		return "", PersonPage
	}
	u.RawQuery = ""
	return u.String(), SocialPage
}

// ShownWebsite returns a firm's website as it may be shown where persons must not be named. A path or query stays if it consists of words of
// the firm's names and of words that many pages have; others may name a person. A host below the firm's
// domain stays likewise. Null: it is not the firm's own site, or its address on a host that many share may name a person.
//
// Spec: not shown; the address without its path, and the firm's domain, are the firm's site too.
func ShownWebsite(filed *string, names ...string) *string {
	if filed == nil {
		return nil
	}
	site, own := Website(*filed)
	if !own {
		return nil
	}
	u := address(site)
	labels, shared := sharedLabels(u.Hostname())
	if !shared && labels == "" && u.Path == "" && u.RawQuery == "" {
		return &site
	}
	known := wordsOf(names)
	path := known.spell(u.Path)
	if named := known.spell(labels); shared && (!path || !named) {
		return nil
	} else if !named { // perhaps a person's, below a host of the firm or of others
		domain := strings.TrimPrefix(strings.TrimPrefix(u.Host, "www."), labels)
		if label, _, _ := strings.Cut(domain, "."); !known.spell(label) {
			return nil
		}
		u.Host, path = domain, false
	}
	if !path || !known.spell(u.RawQuery) {
		u.RawQuery = ""
	}
	if !path || u.Path == "/" && u.RawQuery == "" {
		u.Path, u.RawPath = "", ""
	}
	return new(u.String())
}

// sharedLabels returns what stands before a host that unrelated people share, a network or a site builder, or else before the registrable domain.
func sharedLabels(host string) (labels string, shared bool) {
	host = strings.TrimPrefix(strings.ToLower(host), "www.")
	for rest := host; rest != ""; _, rest, _ = strings.Cut(rest, ".") {
		if socialHosts[rest] || builderHosts[rest] {
			return strings.TrimSuffix(host, rest), true
		}
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return "", false
	}
	return strings.TrimSuffix(host, domain), false
}

// personal reports whether the path or query of an address is that of a person's page: it is by its folder, has a given name, or is one of many
// below a host such as advisors.example.com.
func personal(u *url.URL) bool {
	label, _, _ := strings.Cut(strings.TrimPrefix(u.Hostname(), "www."), ".")
	return ofPerson(u.Hostname(), u.Path) || advisorHosts[label] && strings.Trim(u.Path, "/") != "" ||
		slices.ContainsFunc(text.Words(u.Path+" "+u.RawQuery), func(word string) bool { return given[word] })
}

// advisorHosts begin the hosts on which brokers have a page for each of their advisers.
var advisorHosts = text.SetOf("advisor advisors adviser advisers fa financialadvisor financialadvisors")

// personFolders hold the pages of persons; those that end a path are pages about all of them.
var personFolders = text.SetOf("in pub person people individual bio bios staff team our-team team-member our-people professionals attorney attorneys profile.php")

// companyFolders are where LinkedIn has firms; everything else there is a person's.
var companyFolders = text.SetOf("company school showcase groups")

func ofPerson(host, path string) bool {
	folders := strings.Split(strings.Trim(strings.ToLower(path), "/"), "/")
	if under(host, text.SetOf("linkedin.com")) {
		return !companyFolders[folders[0]] && path != "" && path != "/"
	}
	for i, folder := range folders {
		if personFolders[folder] && (i+1 < len(folders) || folder == "profile.php") {
			return true
		}
	}
	return false
}

// pageWords occur in the names of firms' pages, beside words of the firm.
var pageWords = text.SetOf(`channel channels company school showcase groups pages page user c official hq inc llc lp llp ltd corp co group the and of for us usa uk
	capital management mgmt partners partner advisors advisers advisory investments investment invest investing asset assets fund funds financial finance wealth
	holdings ventures venture vc pe equity securities global international real estate realty profile profiles organization videos about home posts
	english lang language index html htm php aspx default main welcome landing site view web website content our new team professionals
	institutional institution institutions individual individuals intermediary private public services service solutions strategies strategy capabilities
	business businesses credit debt infrastructure overview retirement planning plan personal login fiduciary consulting family office research
	mutual markets treasury life managed insights contact products product client clients investor investors disclosures
	blog information disclosure trust growth buyout secondaries lending asia pacific united kingdom states etf etfs alternatives liquidity retail
	account accounts document documents register registration request approach education independent cash`)

// shortWords are languages, countries and short forms in addresses. They count only as a whole part: names can be made of them.
var shortWords = text.SetOf("en us uk eu au ca jp ja hk gb sg fr de ch im am ir my app apps info join go support portal platform m web online secure www")

// NamesOnly reports whether a page on a social network is named by the words of a firm's names, and by words that many pages have: its path, and
// the host's labels before the network's. Others may name a person.
func NamesOnly(page *url.URL, names ...string) bool {
	known := wordsOf(names)
	labels, _ := sharedLabels(page.Hostname())
	return known.spell(labels) && known.spell(page.Path)
}

// nameWords are the words of a firm's names, and the initials of each name.
type nameWords map[string]bool

func wordsOf(names []string) nameWords {
	known := nameWords{}
	for _, name := range names {
		var initials []byte
		words := text.Words(name)
		for _, word := range words {
			known[word] = true
		}
		for _, word := range withoutForms(words) {
			initials = append(initials, word[0])
		}
		if len(initials) > 1 {
			known[string(initials)] = true
		}
	}
	return known
}

// spell reports whether each part of a host or path consists of these words and of pageWords. Letters beyond a to z are no such word.
func (w nameWords) spell(address string) bool {
	if strings.ContainsFunc(address, func(r rune) bool { return r > unicode.MaxASCII }) {
		return false
	}
	for folder := range strings.SplitSeq(strings.ToLower(address), "/") {
		opaque := strings.HasPrefix(folder, "uc") && len(folder) == 24 // a channel of YouTube
		for _, part := range strings.FieldsFunc(folder, func(r rune) bool { return r < 'a' || r > 'z' }) {
			if !opaque && !shortWords[part] && !madeOf(part, w) {
				return false
			}
		}
	}
	return true
}

// madeOf reports whether a text is words of a firm and of pages, one joined to the other.
func madeOf(s string, known nameWords) bool {
	reached := make([]bool, len(s)+1)
	reached[0] = true
	for i := range s {
		for j := i + 1; reached[i] && j <= len(s); j++ {
			word := s[i:j]
			reached[j] = reached[j] || known[word] || pageWords[word]
		}
	}
	return reached[len(s)]
}
