package derive

import (
	"net/url"
	"slices"
	"strings"

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

// ShownWebsite returns a firm's website as it may be shown where persons must not be named: without a path that is a person's. Null: it is not the firm's
// own site.
func ShownWebsite(filed *string) *string {
	if filed == nil {
		return nil
	}
	site, own := Website(*filed)
	if !own {
		return nil
	}
	if u := address(site); personal(u) {
		u.Path, u.RawPath, u.RawQuery = "", "", ""
		return new(u.String())
	}
	return &site
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

// pageWords occur in the names of firms' pages on social networks, beside words of the firm.
var pageWords = text.SetOf(`channel channels company school showcase groups pages page user c official hq inc llc lp llp ltd corp co group the and of for us usa uk
	capital management mgmt partners partner advisors advisers advisory investments investment invest investing asset assets fund funds financial finance wealth
	holdings ventures venture vc pe equity securities global international real estate realty profile profiles organization videos about home posts`)

// NamesOnly reports whether a page on a social network is named by the words of a firm's names, and by words that many pages have: its path, and
// the host's labels before the network's. Others may name a person.
func NamesOnly(page *url.URL, names ...string) bool {
	var path strings.Builder
	host := strings.TrimPrefix(strings.ToLower(page.Hostname()), "www.")
	for host != "" && !socialHosts[host] {
		label, rest, _ := strings.Cut(host, ".")
		path.WriteString(label + "/")
		host = rest
	}
	path.WriteString(page.Path)
	known := map[string]bool{}
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
	for folder := range strings.SplitSeq(strings.ToLower(path.String()), "/") {
		opaque := strings.HasPrefix(folder, "uc") && len(folder) == 24 // a channel of YouTube
		for _, part := range strings.FieldsFunc(folder, func(r rune) bool { return r < 'a' || r > 'z' }) {
			if !opaque && !madeOf(part, known) {
				return false
			}
		}
	}
	return true
}

// madeOf reports whether a text is words of a firm and of pages, one joined to the other.
func madeOf(s string, known map[string]bool) bool {
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
