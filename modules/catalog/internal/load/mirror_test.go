package load_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/changes"
)

// mirror is a copy of the listed fields of all advisers and funds that is kept by the log of changes alone: by "gp 7001" or
// "fund 805-0000000001", then by field.
type mirror struct {
	rows  map[string]map[string]string
	after int64
}

// follow applies the new events to the mirror and compares it with the catalog; so the log is checked after each load of each test here.
// follow applies the new events of the log to a copy of the listed fields. The copy must then equal the catalog, each event must change it, and no event
// may name an owner. New filings and funds must be those of catalog.pub_event, which activity and digests read.
func (b *bench) follow() {
	b.t.Helper()
	m := &b.mirror
	dump := b.dump()
	arrival := b.row(`SELECT coalesce(max(arrival), 0) FROM catalog.arrivals`)[0]
	var news []string
	first := false
	for more := true; more; {
		p, err := changes.After(b.t.Context(), b.db, m.after, 1000, changes.Filter{})
		require.NoError(b.t, err)
		for _, e := range p.Events {
			if e.Kind == catalogapi.ChangeLoaded {
				m.rows, first = dump, true
				continue
			}
			if m.rows != nil && !first {
				m.apply(b, e)
			}
			news = append(news, news1(e, arrival)...)
		}
		m.after, more = p.Next, p.More
	}
	if m.rows == nil {
		m.rows = dump // of a test that began without a first load
	}
	require.Equal(b.t, dump, m.rows, "the events do not lead to what is in the catalog")
	if !first {
		slices.Sort(news)
		require.Equal(b.t, b.published(arrival), slices.Compact(news), "the log and the feed of activity disagree")
	}
	b.logNamesNoOwner()
}

// news1 is an event that the activity feed has, too. There, a fund that moved is new to its GP.
func news1(e changes.Event, arrival string) []string {
	kind := map[string]string{
		catalogapi.ChangeNewFiling: "new_filing", catalogapi.ChangeNewFund: "new_fund", catalogapi.ChangeFundMoved: "new_fund",
	}[e.Kind]
	if kind == "" || arrival != strconv.FormatInt(e.Arrival, 10) {
		return nil
	}
	return []string{kind + " " + e.CRD + " " + e.Subject}
}

func (b *bench) published(arrival string) (list []string) {
	for _, row := range b.rows(`SELECT e.type || ' ' || a.crd || ' ' || e.key AS news FROM catalog.advisers a, catalog.pub_event(a.crd) e WHERE e.arrival = ` + arrival) {
		list = append(list, row[0])
	}
	slices.Sort(list)
	return list
}

func (m *mirror) apply(b *bench, e changes.Event) {
	b.t.Helper()
	var said struct {
		Changed []struct {
			Field         string
			Before, After json.RawMessage
		}
	}
	require.NoError(b.t, json.Unmarshal(e.Said, &said))
	if e.Kind == catalogapi.ChangeNewFiling || e.Kind == catalogapi.ChangeFilingRestated || e.Kind == catalogapi.ChangeCorrection {
		return
	}
	key := "gp " + e.CRD
	if e.Subject != "" {
		key = "fund " + e.Subject
	}
	row, known := m.rows[key]
	require.Equal(b.t, e.Kind != catalogapi.ChangeAdviserNew && e.Kind != catalogapi.ChangeNewFund, known, "%s %s", e.Kind, key)
	if !known {
		row = map[string]string{}
		m.rows[key] = row
	}
	require.NotEmpty(b.t, said.Changed, "%s %s without a difference", e.Kind, key)
	for _, c := range said.Changed {
		before, after := null(c.Before), null(c.After)
		require.NotEqual(b.t, before, after, "%s %s %s", e.Kind, key, c.Field)
		require.Equal(b.t, row[c.Field], before, "%s %s %s", e.Kind, key, c.Field)
		if row[c.Field] = after; after == "" {
			delete(row, c.Field)
		}
	}
	if e.Kind == catalogapi.ChangeRetracted {
		require.Empty(b.t, row)
		delete(m.rows, key)
	}
}

func null(raw json.RawMessage) string {
	if string(raw) == "null" {
		return ""
	}
	return string(raw)
}

// dump is the listed fields in the catalog; null ones are left out.
func (b *bench) dump() map[string]map[string]string {
	b.t.Helper()
	rows := map[string]map[string]string{}
	read := func(query string, fields []string) {
		err := b.db.Conn(b.t.Context(), func(c *pgx.Conn) error {
			r, err := c.Query(b.t.Context(), query)
			if err != nil {
				return err
			}
			var key string
			var row map[string]json.RawMessage
			_, err = pgx.ForEachRow(r, []any{&key, &row}, func() error {
				rows[key] = map[string]string{}
				for _, f := range fields {
					v := null(row[f])
					if v == "" && slices.Contains(catalogapi.ChangeLists, f) && strings.HasPrefix(key, "fund ") {
						v = "[]"
					}
					if v != "" {
						rows[key][f] = v
					}
				}
				row = nil
				return nil
			})
			return err
		})
		require.NoError(b.t, err)
	}
	read(`SELECT 'gp ' || crd, to_jsonb(a) FROM catalog.advisers a`, catalogapi.AdviserChangeFields())
	read(`SELECT 'fund ' || fund_id, to_jsonb(f) FROM catalog.funds f`, catalogapi.FundChangeFields())
	return rows
}

// logNamesNoOwner fails the test if an event has the name of an owner in the catalog.
func (b *bench) logNamesNoOwner() {
	b.t.Helper()
	require.Empty(b.t, b.rows(`SELECT o.name, c.said FROM (SELECT DISTINCT name FROM catalog.owners WHERE name LIKE '%, %') o
		JOIN platform.changes c ON strpos(c.said::text, o.name) > 0`))
}
