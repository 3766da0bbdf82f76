package ingest

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gpatlas/modules/dataops/internal/parse/archive"
	"gpatlas/platform/apperr"
)

// Item is one document to be, as the caller named it or as it was found in a folder that they named.
type Item struct {
	Name   string   // base name, or the last part of the URL
	Path   string   // local copy; empty for what is still to be fetched
	Remote *url.URL // where it is from; nil for what is local
	Source string   // the configured source that it comes from; empty = named by hand
	// Extraction is the use of the source that it belongs to; 0 = none.
	Extraction int64
}

func (i Item) location() string {
	if i.Remote != nil {
		return i.Remote.Redacted()
	}
	return i.Path
}

// ErrNothing means that a folder has nothing to ingest.
var ErrNothing = errors.New("contains no file that can be ingested (zip, xlsx, csv, txt, xml, also gzipped)")

// archiveTable is the name of a table of an unpacked Form ADV archive or Form D set.
var archiveTable = regexp.MustCompile(`(?i)^(?:(?:(?:IA|ERA)_.*|ADV_Filing_Types.*)_\d{8}_\d{8}\.csv|` +
	`(?:FORMDSUBMISSION|ISSUERS|OFFERING|RECIPIENTS|RELATEDPERSONS|SIGNATURES)\.tsv)$`)

// inputs finds the documents that arguments mean: a file or URL is one, a folder with the tables of an unpacked archive is one,
// and any other folder means its content, oldest first.
func inputs(args []string) ([]Item, error) {
	var out []Item
	for _, arg := range args {
		found, err := inputsOf(arg)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// ParseURL reads an argument that looks like a URL; nil = it is a path.
func ParseURL(arg string) (*url.URL, error) {
	scheme, _, ok := strings.Cut(arg, "://")
	if !ok {
		return nil, nil //nolint:nilnil // a path is no fault
	}
	u, err := url.Parse(arg)
	if err != nil || u.Host == "" || (scheme != "http" && scheme != "https") {
		return nil, fmt.Errorf("%s: is neither a path nor an http or https URL", arg)
	}
	return u, nil
}

func inputsOf(arg string) ([]Item, error) {
	if u, err := ParseURL(arg); err != nil {
		return nil, err
	} else if u != nil {
		name := path.Base(u.Path)
		if name == "/" || name == "." || name == ".." {
			name = u.Hostname()
		}
		return []Item{{Name: name, Remote: u}}, nil
	}
	info, err := os.Stat(arg)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", arg, apperr.Cause(err))
	}
	if !info.IsDir() {
		return []Item{{Name: info.Name(), Path: arg}}, nil
	}
	return inputsIn(arg)
}

// inputsIn looks into a folder.
func inputsIn(dir string) ([]Item, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, unlisted(dir, err)
	}
	var out []Item
	unpacked := false
	for _, e := range entries {
		name := e.Name()
		switch {
		case strings.HasPrefix(name, "."):
		case e.IsDir():
			inside, err := inputsIn(filepath.Join(dir, name))
			if err != nil && !errors.Is(err, ErrNothing) {
				return nil, err
			}
			out = append(out, inside...)
		case archiveTable.MatchString(name), archive.IsPart(name):
			unpacked = true
		case candidate(name):
			out = append(out, Item{Name: name, Path: filepath.Join(dir, name)})
		}
	}
	if unpacked {
		out = append(out, Item{Name: filepath.Base(filepath.Clean(dir)), Path: dir})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: %w", dir, ErrNothing)
	}
	slices.SortStableFunc(out, func(a, b Item) int {
		return cmp.Or(cmp.Compare(rank(a.Name), rank(b.Name)), cmp.Compare(dateIn(a.Name), dateIn(b.Name)), cmp.Compare(a.Name, b.Name))
	})
	return out, nil
}

// unlisted is the error about a folder whose files cannot be listed. It names what to do where that is known.
func unlisted(dir string, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%s: %w; name a folder that holds only documents, or make this one readable", dir, apperr.Cause(err))
	}
	return fmt.Errorf("%s: %w", dir, apperr.Cause(err))
}

func candidate(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), ".gz")
	return slices.Contains([]string{".zip", ".xlsx", ".csv", ".txt", ".xml"}, path.Ext(name))
}

var datePart = regexp.MustCompile(`(?:19|20)\d{2}-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])`)

var (
	withdrawals = regexp.MustCompile(`(?i)^advw[_-]`)
	notices     = regexp.MustCompile(`(?i)^\d{4}q[1-4]_d\.|\.xml$|^\d{10}-\d{2}-\d{6}\.txt`)
)

// rank puts notices of offerings first and withdrawals last. Both concern what the filings have become: notices that lie
// ready are joined when the filings are derived, and withdrawals want that done, so that it is done once.
func rank(name string) int {
	switch {
	case notices.MatchString(name):
		return 0
	case withdrawals.MatchString(name):
		return 2
	}
	return 1
}

// dateIn is the last day in a file's name, so that a folder of months is loaded in their order. The order is for the
// reader's eye and for speed: the catalog comes out the same in any.
func dateIn(name string) string {
	all := datePart.FindAllString(name, -1)
	if len(all) == 0 {
		return ""
	}
	return strings.ReplaceAll(all[len(all)-1], "-", "")
}
