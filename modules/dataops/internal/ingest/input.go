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
)

// input is one document to be, as the caller named it or as it was found in a folder that he named.
type input struct {
	name   string // base name, or the last part of the URL
	path   string // local; empty for what is remote
	remote *url.URL
}

func (i input) location() string {
	if i.remote != nil {
		return i.remote.Redacted()
	}
	return i.path
}

// ErrNothing says that a folder holds nothing that could be ingested.
var ErrNothing = errors.New("holds no file that could be ingested (zip, xlsx, csv, also gzipped)")

// archiveTable is the name of a table of an unpacked Form ADV archive.
var archiveTable = regexp.MustCompile(`(?i)^(?:(?:IA|ERA)_.*|ADV_Filing_Types.*)_\d{8}_\d{8}\.csv$`)

// inputs finds the documents that arguments stand for: a file or URL is one, a folder with the tables of an unpacked
// archive is one, any other folder stands for what is in it, oldest first.
func inputs(args []string) ([]input, error) {
	var out []input
	for _, arg := range args {
		found, err := inputsOf(arg)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

func inputsOf(arg string) ([]input, error) {
	if scheme, _, ok := strings.Cut(arg, "://"); ok {
		u, err := url.Parse(arg)
		if err != nil || u.Host == "" || (scheme != "http" && scheme != "https") {
			return nil, fmt.Errorf("%s: is neither a path nor an http or https address", arg)
		}
		name := path.Base(u.Path)
		if name == "/" || name == "." || name == ".." {
			name = u.Hostname()
		}
		return []input{{name: name, remote: u}}, nil
	}
	info, err := os.Stat(arg)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", arg, plain(err))
	}
	if !info.IsDir() {
		return []input{{name: info.Name(), path: arg}}, nil
	}
	return inputsIn(arg)
}

// inputsIn looks into a folder.
func inputsIn(dir string) ([]input, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, plain(err))
	}
	var out []input
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
		case archiveTable.MatchString(name):
			unpacked = true
		case candidate(name):
			out = append(out, input{name: name, path: filepath.Join(dir, name)})
		}
	}
	if unpacked {
		out = append(out, input{name: filepath.Base(filepath.Clean(dir)), path: dir})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: %w", dir, ErrNothing)
	}
	slices.SortStableFunc(out, func(a, b input) int {
		return cmp.Or(cmp.Compare(dateIn(a.name), dateIn(b.name)), cmp.Compare(a.name, b.name))
	})
	return out, nil
}

func candidate(name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), ".gz")
	return slices.Contains([]string{".zip", ".xlsx", ".csv", ".txt"}, path.Ext(name))
}

var datePart = regexp.MustCompile(`(?:19|20)\d{2}-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])`)

// dateIn is the last day in a file's name, so that a folder of months is loaded in their order. The order is for the
// reader's eye and for speed: the catalogue comes out the same in any.
func dateIn(name string) string {
	all := datePart.FindAllString(name, -1)
	if len(all) == 0 {
		return ""
	}
	return strings.ReplaceAll(all[len(all)-1], "-", "")
}

// plain drops the path that the file system puts into its errors, for we name it ourselves.
func plain(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}
