package feed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"gpatlas/modules/dataops/internal/parse/markup"
	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/parse/value"
)

// firm is one firm's element as it was read. It is valid until the next.
type firm struct {
	number        int
	row           *table.Row
	cells         [][]byte // by column; nil = no such attribute
	registrations []registration
	filed         []filed
	websites      []string
}

// registration is one Rgstn element, filed one Filing element, both as filed.
type registration struct{ firmType, status, date string }

type filed struct{ date, version string }

// raw returns what was read of the firm, for the quarantine.
func (c *firm) raw() string {
	var b strings.Builder
	for i, column := range columns {
		if c.cells[i] != nil {
			fmt.Fprintf(&b, "%s=%q ", column.Name, c.cells[i])
		}
	}
	return table.RawText([]byte(strings.TrimSuffix(b.String(), " ")), value.UTF8)
}

// A firm's element takes some 4 KiB, and a feed has some 24,000 firms. Larger ones are no feed.
const (
	firmBytesMax = 1 << 20
	firmsMax     = 2_000_000
)

var (
	errFirmLarge = errors.New("a firm's element is larger than 1 MiB")
	errFirms     = fmt.Errorf("it has more than %d firms, too many for a feed", firmsMax)
)

// reading walks through a feed.
type reading struct {
	in     *markup.Reader
	places map[string][]place
	out    *firm

	values  []byte // the cells' bytes of the present firm
	address []byte // the web address being read
}

// firms returns the feed's firms. Unknown elements are skipped.
func (f *feed) firms(ctx context.Context) iter.Seq2[*firm, error] {
	return func(yield func(*firm, error) bool) {
		src, err := f.member.Open()
		if err != nil {
			yield(nil, fmt.Errorf("%s: %w", f.member.Name, err))
			return
		}
		defer src.Close() //nolint:errcheck // nothing was written
		in, err := markup.NewReader(ctx, src)
		if err == nil {
			var r *reading
			if r, err = f.reading(in); err == nil {
				err = f.walk(r, func(c *firm) bool { return yield(c, nil) })
			}
		}
		if err != nil {
			yield(nil, fmt.Errorf("%s: %w", f.member.Name, err))
		}
	}
}

func (f *feed) reading(in *markup.Reader) (*reading, error) {
	header := make([]string, len(columns))
	places := make(map[string][]place)
	for i, column := range columns {
		header[i] = column.Name
		element, attribute, _ := strings.Cut(column.Name, "@")
		places[element] = append(places[element], place{attribute, i})
	}
	bound, err := table.Bind(header, columns)
	if err != nil {
		return nil, err
	}
	row := table.NewRow(f.member.Name, bound, value.UTF8)
	row.CountInto(&f.fill)
	return &reading{in: in, places: places, values: make([]byte, 0, 4<<10), out: &firm{row: row, cells: make([][]byte, len(columns))}}, nil
}

func (f *feed) walk(r *reading, visit func(*firm) bool) error {
	for {
		kind, err := r.in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch {
		case kind != markup.Start:
		case r.in.Depth() == 1:
			if err := f.root(r.in); err != nil {
				return err
			}
		case r.in.Name() == elFirm:
			if r.out.number++; r.out.number > firmsMax {
				return errFirms
			}
			if err := r.firm(); err != nil {
				return err
			}
			if !visit(r.out) {
				return nil
			}
		}
	}
}

// firm reads the content of a firm's element up to its end.
func (r *reading) firm() error {
	c, line, from, depth := r.out, r.in.Line(), r.in.Offset(), r.in.Depth()
	clear(c.cells)
	r.values, r.address = r.values[:0], r.address[:0]
	c.registrations, c.filed, c.websites = c.registrations[:0], c.filed[:0], nil
	inAddress := false
	for {
		kind, err := r.in.Next()
		if err != nil {
			return err // never the text's end, which comes after that of every element
		}
		if r.in.Offset()-from > firmBytesMax {
			return errFirmLarge
		}
		switch {
		case kind == markup.Start:
			inAddress = r.in.Name() == elWebsite
			r.address = r.address[:0]
			r.element()
		case kind == markup.Text && inAddress:
			r.address = append(r.address, r.in.Text()...)
		case kind == markup.End:
			if w := value.Text(r.address, value.UTF8); inAddress && w != "" {
				c.websites = append(c.websites, w)
			}
			inAddress = false
			if r.in.Depth() < depth {
				c.choose()
				c.row.Set(line, c.cells, nil)
				return nil
			}
		}
	}
}

// element takes the wanted attributes of the element that begins. If an element occurs twice, the first one counts, except for
// those that choose decides.
func (r *reading) element() {
	c, attrs := r.out, r.in.Attrs()
	switch r.in.Name() {
	case elRegistration:
		c.registrations = append(c.registrations, registration{attribute(attrs, "FirmType"), attribute(attrs, "St"), attribute(attrs, "Dt")})
	case elFiling:
		c.filed = append(c.filed, filed{attribute(attrs, "Dt"), attribute(attrs, "FormVrsn")})
	}
	places := r.places[r.in.Name()]
	if len(places) == 0 {
		return
	}
	for _, a := range attrs {
		for _, p := range places {
			if p.attribute == a.Name && c.cells[p.column] == nil {
				from := len(r.values)
				r.values = append(r.values, a.Value...)
				c.cells[p.column] = r.values[from:len(r.values):len(r.values)]
			}
		}
	}
}

func attribute(attrs []markup.Attr, name string) string {
	for _, a := range attrs {
		if a.Name == name {
			return string(a.Value)
		}
	}
	return ""
}

// choose decides which of several registrations and filings of a firm count.
//
// Spec: not shown; every firm seen has one of each. Of several filings the newest counts, because the form's answers are those of
// the last one filed. Of several registrations one in force precedes one that has ended, then the newest, then the first.
func (c *firm) choose() {
	if len(c.filed) > 1 {
		best := c.filed[0]
		for _, f := range c.filed[1:] {
			if f.date > best.date { // ISO dates sort as texts
				best = f
			}
		}
		c.cells[colFiled], c.cells[colFormVersion] = []byte(best.date), []byte(best.version)
	}
	if len(c.registrations) > 1 {
		best := c.registrations[0]
		for _, r := range c.registrations[1:] {
			if cmp.Or(cmp.Compare(r.rank(), best.rank()), cmp.Compare(r.date, best.date)) > 0 {
				best = r
			}
		}
		c.cells[colFirmType], c.cells[colStatus], c.cells[colStatusDate] = []byte(best.firmType), []byte(best.status), []byte(best.date)
	}
}

// rank is 1 for a registration in force: APPROVED, 120-DAY APPROVAL, ACTIVE.
func (r registration) rank() int {
	s := strings.ToUpper(r.status)
	if strings.HasSuffix(s, "APPROVED") || strings.HasSuffix(s, "APPROVAL") || s == "ACTIVE" {
		return 1
	}
	return 0
}
