package source

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// Kind is how the files of a source are listed.
type Kind string

// The kinds of sources.
const (
	KindList     Kind = "list"     // fixed addresses
	KindIndex    Kind = "index"    // a JSON index of files with their sizes and editions
	KindManifest Kind = "manifest" // a JSON manifest of dated files, each a whole: the newest is taken
	KindPeriods  Kind = "periods"  // nothing lists them: one file per month or quarter, by a pattern
)

// The lengths of periods.
const (
	EveryMonth   = "month"   // published as the month begins
	EveryQuarter = "quarter" // published when the quarter is over
)

// PerSecondMax is the most requests a second that the SEC takes from one caller.
const PerSecondMax = 10

// Definition is one source, as the configuration names it.
type Definition struct {
	Name  string `json:"name"` // lower case, with hyphens
	Title string `json:"title,omitempty"`
	Kind  Kind   `json:"kind"`
	// Addresses are of files (list), or patterns of such addresses: with {file}, {year} and {key} from an index, {file}
	// from a manifest; {yyyy}, {yy}, {mm}, {dd} and {q} of a period.
	Addresses []string `json:"addresses"`
	Index     string   `json:"index,omitempty"`      // address of the index or manifest
	Key       string   `json:"key,omitempty"`        // index: which of its lists
	Match     []string `json:"match,omitempty"`      // manifest: patterns of the names wanted; of each the newest is taken
	Every     string   `json:"every,omitempty"`      // periods: month or quarter
	From      string   `json:"from,omitempty"`       // periods: the month in which the first one begins, 2008-01
	Last      int      `json:"last,omitempty"`       // periods: only so many, the newest; 0 = all
	Recheck   int      `json:"recheck,omitempty"`    // periods: how many of the newest are asked for changes; 0 = 2
	Days      []int    `json:"days,omitempty"`       // periods: what {dd} may be, in the order in which they are tried
	Schedule  string   `json:"schedule,omitempty"`   // cron, five fields, UTC; empty = by hand only
	PerSecond float64  `json:"per_second,omitempty"` // requests a second; 0 = 10, which is the most
	Enabled   *bool    `json:"enabled,omitempty"`    // absent = it is
	// WarnAfter and StaleAfter are the ages of the last success from which on the source is late, as "48h"; empty = those of its
	// schedule, or never without one.
	WarnAfter  string `json:"warn_after,omitempty"`
	StaleAfter string `json:"stale_after,omitempty"`
}

// Ages are WarnAfter and StaleAfter; 0 = never.
func (d Definition) Ages() (warn, stale time.Duration) {
	warn, _ = time.ParseDuration(d.WarnAfter)
	stale, _ = time.ParseDuration(d.StaleAfter)
	return warn, stale
}

// watched sets the ages of a scheduled source that has none. A daily source has those of the built-in daily ones. Any other is late
// two days after the longest time between two runs, and stale after a second such time.
func (d Definition) watched() Definition {
	times, err := cron.ParseStandard(d.Schedule)
	if err != nil || d.WarnAfter != "" || d.StaleAfter != "" {
		return d
	}
	const day = 24 * time.Hour
	var step time.Duration // the longest between two uses
	at := times.Next(time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC))
	for range 100 {
		next := times.Next(at)
		if next.IsZero() {
			break
		}
		step, at = max(step, next.Sub(at)), next
	}
	if d.WarnAfter, d.StaleAfter = dailyWarn, dailyStale; step > day {
		d.WarnAfter, d.StaleAfter = (step + 2*day).String(), (2*step + 2*day).String()
	}
	return d
}

// IsEnabled reports whether the source may be used.
func (d Definition) IsEnabled() bool { return d.Enabled == nil || *d.Enabled }

func (d Definition) recheck() int {
	if d.Recheck == 0 {
		return 2
	}
	return d.Recheck
}

// URLs returns every address that the source may request, with the blanks of patterns filled in. Callers need the hosts.
func (d Definition) URLs() []*url.URL {
	var out []*url.URL
	for _, text := range append([]string{d.Index}, d.Addresses...) {
		if u, err := url.Parse(placeholder.ReplaceAllString(text, "x")); err == nil && text != "" {
			out = append(out, u)
		}
	}
	return out
}

var (
	namePattern = regexp.MustCompile(`^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$`)
	placeholder = regexp.MustCompile(`\{[^{}]*\}`)
)

// blanks are the placeholders that each kind's addresses may have.
func (k Kind) blanks() []string {
	switch k {
	case KindIndex:
		return []string{"{file}", "{year}", "{key}"}
	case KindManifest:
		return []string{"{file}"}
	case KindPeriods:
		return []string{"{yyyy}", "{yy}", "{mm}", "{dd}", "{q}"}
	default:
		return nil
	}
}

// Validate returns all faults of a source, each with its field.
func (d Definition) Validate() error {
	var faults []error
	bad := func(field, format string, args ...any) {
		faults = append(faults, fmt.Errorf("source %q: %s: %s", d.Name, field, fmt.Sprintf(format, args...)))
	}
	if !namePattern.MatchString(d.Name) || len(d.Name) > 40 {
		bad("name", "must be lower-case words joined by hyphens, at most 40 characters")
	}
	if len(d.Addresses) == 0 {
		bad("addresses", "there must be at least one")
	}
	for _, a := range d.Addresses {
		if err := checkAddress(a, d.Kind.blanks()); err != nil {
			bad("addresses", "%q %s", a, err)
		}
	}
	if d.Schedule != "" {
		if _, err := cron.ParseStandard(d.Schedule); err != nil {
			bad("schedule", "%q is not a cron expression: %v", d.Schedule, err)
		}
	}
	if d.PerSecond < 0 || d.PerSecond > PerSecondMax {
		bad("per_second", "%g is not between 0 and %d", d.PerSecond, PerSecondMax)
	}
	for field, age := range map[string]string{"warn_after": d.WarnAfter, "stale_after": d.StaleAfter} {
		if length, err := time.ParseDuration(age); age != "" && (err != nil || length <= 0) {
			bad(field, "%q is not a length of time such as 48h", age)
		}
	}
	if warn, stale := d.Ages(); warn > 0 && stale > 0 && stale < warn {
		bad("stale_after", "%q is shorter than warn_after", d.StaleAfter)
	}
	d.validateKind(bad)
	return errors.Join(faults...)
}

// validateKind checks the fields that belong to one kind alone.
func (d Definition) validateKind(bad func(field, format string, args ...any)) {
	switch d.Kind {
	case KindList:
	case KindIndex, KindManifest:
		if err := checkAddress(d.Index, nil); err != nil {
			bad("index", "%q %s", d.Index, err)
		}
		if len(d.Addresses) > 1 {
			bad("addresses", "one pattern is enough where an index names the files")
		}
		if len(d.Addresses) > 0 && !strings.Contains(d.Addresses[0], "{file}") {
			bad("addresses", "%q lacks {file}", d.Addresses[0])
		}
		if d.Kind == KindIndex && !plainName.MatchString(d.Key) {
			bad("key", "must name one of the index's lists")
		}
		if d.Kind == KindManifest && len(d.Match) == 0 {
			bad("match", "there must be at least one pattern")
		}
		for _, m := range d.Match {
			if _, err := regexp.Compile(m); err != nil {
				bad("match", "%v", err)
			}
		}
	case KindPeriods:
		d.validatePeriods(bad)
	default:
		bad("kind", "%q is not one of %s, %s, %s, %s", d.Kind, KindList, KindIndex, KindManifest, KindPeriods)
	}
}

func (d Definition) validatePeriods(bad func(field, format string, args ...any)) {
	if d.Every != EveryMonth && d.Every != EveryQuarter {
		bad("every", "%q is neither %s nor %s", d.Every, EveryMonth, EveryQuarter)
	}
	if _, err := time.Parse(monthForm, d.From); err != nil && (d.From != "" || d.Last == 0) {
		bad("from", "%q is not a month such as 2008-01; it is required without last", d.From)
	}
	if d.Last < 0 || d.Recheck < 0 {
		bad("last", "last and recheck must not be negative")
	}
	for _, day := range d.Days {
		if day < 1 || day > 31 {
			bad("days", "%d is not a day of the month", day)
		}
	}
	for _, a := range d.Addresses {
		if strings.Contains(a, "{dd}") && len(d.Days) == 0 {
			bad("days", "%q has {dd}, so they must say which", a)
		}
	}
}

const monthForm = "2006-01"

// checkAddress wants an http or https address with a host, and blanks of its kind alone, none of them in the host.
func checkAddress(text string, blanks []string) error {
	for _, b := range placeholder.FindAllString(text, -1) {
		if !slices.Contains(blanks, b) {
			return fmt.Errorf("contains the unknown placeholder %s", b)
		}
	}
	u, err := url.Parse(placeholder.ReplaceAllString(text, "1"))
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" {
		return errors.New("is not an http or https URL")
	}
	if u.User != nil || u.Fragment != "" {
		return errors.New("must not have a user or a fragment")
	}
	_, rest, _ := strings.Cut(text, "://")
	if host, _, _ := strings.Cut(rest, "/"); placeholder.MatchString(host) {
		return errors.New("has a space in its host")
	}
	return nil
}
