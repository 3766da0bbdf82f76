package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gpatlas/modules/dataops/internal/parse/archive"
)

// found is one file that a source has, or should have.
type found struct {
	name    string     // of the first address
	urls    []*url.URL // where it may be, in the order in which they are tried
	parts   []*url.URL // instead: the parts of an archive that its publisher has split; all are needed
	bytes   int64      // as the index states it; 0 = not stated
	edition string     // the index's mark of the edition; empty = none, the server is asked
	final   bool       // it does not change: once fetched it is not requested again
	awaited bool       // it may be missing: it is not published yet
	order   string     // sorts files by what they are of
}

// index gets the text of an index or manifest.
type index func(ctx context.Context, u *url.URL) ([]byte, error)

// discover lists what a source has, oldest first. Files of an index that cannot be used are faults and do not keep the
// others from being used.
func discover(ctx context.Context, d Definition, now time.Time, get index) ([]found, []error) {
	var out []found
	var faults []error
	switch d.Kind {
	case KindList:
		out, faults = listed(d)
	case KindPeriods:
		out, faults = inPeriods(d, now)
	default:
		u, err := url.Parse(d.Index)
		if err != nil {
			return nil, []error{err}
		}
		text, err := get(ctx, u)
		if err != nil {
			return nil, []error{fmt.Errorf("the index: %w", err)}
		}
		if d.Kind == KindIndex {
			out, faults = indexed(d, text)
		} else {
			out, faults = manifested(d, text)
		}
		for i, err := range faults {
			faults[i] = fmt.Errorf("the index %s: %w", u.Redacted(), err)
		}
	}
	slices.SortStableFunc(out, func(a, b found) int { return cmp.Compare(a.order, b.order) })
	return out, faults
}

// listed returns the files of fixed addresses. Parts of one archive in one folder are one file.
//
// Spec: not shown; the archive of 2011 to 2024 comes in two parts, the second has funds whose filings are in the
// first. Parts are recognized by their names, as in a folder of files; one that is listed without others is a file like any other.
func listed(d Definition) (out []found, faults []error) {
	at := make(map[string]int)
	for i, address := range d.Addresses {
		u, err := fill(address, nil)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		f := found{name: path.Base(u.Path), urls: []*url.URL{u}, order: fmt.Sprintf("%04d", i)}
		if !archive.IsPart(f.name) {
			out = append(out, f)
			continue
		}
		whole := u.Scheme + "://" + u.Host + path.Join(path.Dir(u.Path), archive.Whole(f.name)) + "?" + u.RawQuery
		if first, more := at[whole]; more {
			out[first].join(u)
			continue
		}
		at[whole] = len(out)
		out = append(out, f)
	}
	return out, faults
}

// join adds a part to a file. The parts are kept in the order of their addresses, so that every process locks them in
// the same order.
func (f *found) join(part *url.URL) {
	if len(f.parts) == 0 {
		f.name, f.parts, f.urls = archive.Whole(f.name), f.urls, nil
	}
	known := slices.ContainsFunc(f.parts, func(u *url.URL) bool { return u.String() == part.String() })
	if known {
		return
	}
	f.parts = append(f.parts, part)
	slices.SortFunc(f.parts, func(a, b *url.URL) int { return cmp.Compare(a.String(), b.String()) })
}

// files counts what is to be fetched of it.
func (f *found) files() int { return max(1, len(f.parts)) }

// inPeriods returns a file for each period and address, from the first period to the one that should be published by now.
//
// Spec: not shown; data sets of a quarter are published when it is over, rosters of a month when it begins.
func inPeriods(d Definition, now time.Time) (out []found, faults []error) {
	months, first := 1, time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	if d.Every == EveryQuarter {
		months = 3
		first = first.AddDate(0, -int(first.Month()-1)%3-3, 0)
	}
	from, err := time.Parse(monthForm, d.From)
	if err != nil {
		from = first.AddDate(0, -months*(d.Last-1), 0)
	}
	for n, begin := 0, first; !begin.Before(from) && (d.Last == 0 || n < d.Last); n, begin = n+1, begin.AddDate(0, -months, 0) {
		for _, address := range d.Addresses {
			urls, err := periodAddresses(address, begin, d.Days)
			if err != nil {
				faults = append(faults, err)
				continue
			}
			out = append(out, found{
				name: path.Base(urls[0].Path), urls: urls, order: begin.Format(time.DateOnly),
				final: n >= d.recheck(), awaited: true,
			})
		}
	}
	return out, faults
}

func periodAddresses(address string, begin time.Time, days []int) ([]*url.URL, error) {
	if !strings.Contains(address, "{dd}") {
		days = []int{1}
	}
	var out []*url.URL
	for _, day := range days {
		u, err := fill(address, map[string]string{
			"{yyyy}": begin.Format("2006"), "{yy}": begin.Format("06"), "{mm}": begin.Format("01"),
			"{dd}": fmt.Sprintf("%02d", day), "{q}": strconv.Itoa((int(begin.Month()) + 2) / 3),
		})
		if err != nil {
			return nil, err
		}
		out = append(out, u)
	}
	return out, nil
}

// plainName is what an index may call a file: no path, no address, nothing hidden.
var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,159}$`)

// safeName returns why a name cannot be used; nil if it can.
func safeName(name string) error {
	if !plainName.MatchString(name) || strings.Contains(name, "..") {
		return fmt.Errorf("%.60q is not a plain file name", name)
	}
	return nil
}

// fill puts values into an address. What fills the blanks was checked before, and cannot move the address: its host is
// still compared.
func fill(pattern string, values map[string]string) (*url.URL, error) {
	text := placeholder.ReplaceAllStringFunc(pattern, func(b string) string { return values[b] })
	u, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the URL %q: %w", text, err)
	}
	home, err := url.Parse(placeholder.ReplaceAllString(pattern, "1"))
	if err != nil || u.Scheme != home.Scheme || u.Host != home.Host || path.Clean(u.Path) != u.Path {
		return nil, errors.New("a URL points to another host or path")
	}
	return u, nil
}
