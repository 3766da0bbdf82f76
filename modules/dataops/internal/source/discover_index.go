package source

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The limits of an index. The real ones have some hundred entries and 100 KB.
const (
	indexBytesMax   = 8 << 20
	indexEntriesMax = 20_000
	faultsShown     = 5
	stampMax        = 40 // of an upload time
)

// indexEntry is one file of the FOIA index. Numbers come as such or as text.
type indexEntry struct {
	FileName   string `json:"fileName"`   //nolint:tagliatelle // the SEC's name
	UploadedOn string `json:"uploadedOn"` //nolint:tagliatelle // the SEC's name
	Size       any    `json:"size"`
	Year       any    `json:"year"`
}

var (
	yearPattern = regexp.MustCompile(`^(?:19|20)\d{2}$`)
	dayPattern  = regexp.MustCompile(`\d{8}`)
)

// indexed reads the SEC's index of FOIA reports: under the source's key a list of files with size and upload time. A
// month that was restated has the same name and another upload time.
func indexed(d Definition, text []byte) ([]found, []error) {
	var lists map[string]json.RawMessage
	if err := json.Unmarshal(text, &lists); err != nil {
		return nil, []error{fmt.Errorf("it is not the JSON object that it should be: %w", err)}
	}
	entries, err := entriesOf(lists[d.Key], d.Key)
	if err != nil {
		return nil, []error{err}
	}
	var out []found
	var faults []error
	at := make(map[string]int, len(entries))
	for i, raw := range entries {
		f, err := indexedFile(d, raw)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s[%d]: %w", d.Key, i, err))
			continue
		}
		address := f.urls[0].String()
		if first, twice := at[address]; twice {
			if f.edition > out[first].edition {
				out[first] = f
			}
			continue
		}
		at[address] = len(out)
		out = append(out, f)
	}
	return out, shorten(faults)
}

// entriesOf takes the list of a key apart, leaving its entries as they are: one that is malformed spoils no other.
func entriesOf(raw json.RawMessage, key string) ([]json.RawMessage, error) {
	if raw == nil {
		return nil, fmt.Errorf("%s: it is missing", key)
	}
	var entries []json.RawMessage
	if err := json.Unmarshal(raw, &entries); err != nil {
		return nil, fmt.Errorf("%s: it is no list: %w", key, err)
	}
	if len(entries) > indexEntriesMax {
		return nil, fmt.Errorf("%s: %d entries are too many for an index", key, len(entries))
	}
	return entries, nil
}

func indexedFile(d Definition, raw json.RawMessage) (found, error) {
	var e indexEntry
	if err := json.Unmarshal(raw, &e); err != nil {
		return found{}, err
	}
	if err := safeName(e.FileName); err != nil {
		return found{}, fmt.Errorf("fileName: %w", err)
	}
	year := plain(e.Year)
	if !yearPattern.MatchString(year) {
		return found{}, fmt.Errorf("year: %.20q is none", year)
	}
	size, err := strconv.ParseInt(plain(e.Size), 10, 64)
	if err != nil || size <= 0 {
		return found{}, fmt.Errorf("size: %.20q is not a number of bytes", plain(e.Size))
	}
	if e.UploadedOn == "" || len(e.UploadedOn) > stampMax {
		return found{}, errors.New("uploadedOn: it is missing, or too long to be a time")
	}
	u, err := fill(d.Addresses[0], map[string]string{"{file}": e.FileName, "{year}": year, "{key}": d.Key})
	if err != nil {
		return found{}, err
	}
	// Names end with their last day; one without a day sorts by its year.
	order := year
	if days := dayPattern.FindAllString(e.FileName, -1); len(days) > 0 {
		order = days[len(days)-1]
	}
	return found{name: e.FileName, urls: []*url.URL{u}, bytes: size, edition: e.UploadedOn, order: order + e.FileName}, nil
}

// plain writes a JSON number or text as text.
func plain(v any) string {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// manifestEntry is one file of the manifest of compilations. Its size is the unpacked one, rounded: of no use here.
type manifestEntry struct {
	Name string `json:"name"`
	Date string `json:"date"`
}

// manifestDay is how the manifest writes days.
const manifestDay = "01/02/2006"

// manifested reads the manifest of the compilations and takes the newest file of each pattern: each is the whole, so that
// older ones say nothing more.
func manifested(d Definition, text []byte) ([]found, []error) {
	var lists map[string]json.RawMessage
	if err := json.Unmarshal(text, &lists); err != nil {
		return nil, []error{fmt.Errorf("it is not the JSON object that it should be: %w", err)}
	}
	entries, err := entriesOf(lists["files"], "files")
	if err != nil {
		return nil, []error{err}
	}
	newest := make([]found, len(d.Match))
	var faults []error
	for i, raw := range entries {
		var e manifestEntry
		if err := json.Unmarshal(raw, &e); err != nil {
			faults = append(faults, fmt.Errorf("files[%d]: %w", i, err))
			continue
		}
		for m, pattern := range d.Match {
			if wanted, err := regexp.MatchString(pattern, e.Name); err != nil || !wanted {
				continue
			}
			f, err := manifestedFile(d, e)
			switch {
			case err != nil:
				faults = append(faults, fmt.Errorf("files[%d]: %w", i, err))
			case f.order > newest[m].order:
				newest[m] = f
			}
			break
		}
	}
	var out []found
	for m, f := range newest {
		if f.urls == nil {
			faults = append(faults, fmt.Errorf("files: none has a name like %s", d.Match[m]))
			continue
		}
		out = append(out, f)
	}
	return out, shorten(faults)
}

func manifestedFile(d Definition, e manifestEntry) (found, error) {
	if err := safeName(e.Name); err != nil {
		return found{}, fmt.Errorf("name: %w", err)
	}
	day, err := time.Parse(manifestDay, e.Date)
	if err != nil {
		return found{}, fmt.Errorf("date: %.20q is not a day", e.Date)
	}
	u, err := fill(d.Addresses[0], map[string]string{"{file}": e.Name})
	if err != nil {
		return found{}, err
	}
	return found{name: e.Name, urls: []*url.URL{u}, edition: e.Date, order: day.Format(time.DateOnly) + e.Name}, nil
}

// shorten keeps the first faults: a hostile index may have thousands.
func shorten(faults []error) []error {
	if len(faults) <= faultsShown {
		return faults
	}
	return append(faults[:faultsShown:faultsShown], fmt.Errorf("and %d more entries are unusable", len(faults)-faultsShown))
}
