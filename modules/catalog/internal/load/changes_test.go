package load_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/load"
	"gpatlas/platform/changes"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// said is what an event says, in one line: kind, GP, subject, reason, filing, and each changed field with both values.
func (b *bench) said(after int64) (lines []string, last int64) {
	b.t.Helper()
	p, err := changes.After(b.t.Context(), b.db, after, 10_000, changes.Filter{})
	require.NoError(b.t, err)
	for _, e := range p.Events {
		var said struct {
			Reason   string
			FormType string `json:"form_type"`
			Changed  []struct {
				Field         string
				Before, After any
			}
		}
		require.NoError(b.t, json.Unmarshal(e.Said, &said))
		line := []string{e.Kind, e.CRD, e.Subject, said.Reason, e.Accession + said.FormType}
		for _, c := range said.Changed {
			line = append(line, fmt.Sprintf("%s:%v>%v", c.Field, c.Before, c.After))
		}
		lines = append(lines, strings.Join(line, " "))
	}
	return lines, p.Next
}

// A first load is one event, a document that is known none, and one event follows for each kind of change that a document brings.
func TestChangesOfLoads(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	doc := archive("a.zip", filing("100", "7001", "2026-03-20", "ALDER POINT CAPITAL LLC", raum(5e9)), filing("101", "7002", "2026-03-21", "FENWICK LP", exempt))
	doc.funds = []*catalogapi.FundRow{fund("100", f1, "Alder Growth I", 4e8), fund("100", f2, "Alder II", 6e8), fund("101", f3, "Fenwick I", 1e8)}
	b.load(doc)
	got, last := b.said(0)
	require.Equal(t, []string{"loaded   filing  gps:<nil>>2 funds:<nil>>3 filings:<nil>>2"}, got)
	b.load(doc)
	got, last = b.said(last)
	require.Empty(t, got)

	next := archive("b.zip", filing("102", "7001", "2026-04-20", "ALDER POINT LLC", raum(6e9)), filing("103", "7003", "2026-04-21", "QUILL LP", exempt))
	next.funds = []*catalogapi.FundRow{fund("102", f1, "Alder Growth I", 5e8), fund("103", f3, "Fenwick I", 1e8)}
	next.owners = []*catalogapi.OwnerRow{owner("102", "PERSON, INVENTED")}
	b.load(next)
	got, last = b.said(last)
	require.Equal(t, []string{
		"adviser_change 7001  filing ADV-7001-102 legal_name:ALDER POINT CAPITAL LLC>ALDER POINT LLC primary_strategy:buyout>growth fund_count:2>1 total_gav:1e+09>5e+08 total_investors:20>10",
		"aum_change 7001  filing ADV-7001-102 total_aum:5e+09>6e+09",
		"fund_change 7001 805-0000000001 filing ADV-7001-102 gross_asset_value:4e+08>5e+08",
		"fund_close 7001 805-0000000002 filing ADV-7001-102 status:active>closed",
		"new_filing 7001 ADV-7001-102 filing ADV-7001-102ADV/A",
		"adviser_change 7002  filing  primary_strategy:buyout><nil> manager_type:pe_vc><nil> fund_count:1>0 total_gav:1e+08>0 net_gav:<nil>>0 total_investors:10>0",
		"aum_change 7002  filing  total_aum:1e+08><nil>",
		"adviser_new 7003  filing ADV-7003-103 total_aum:<nil>>1e+08 legal_name:<nil>>QUILL LP city:<nil>>BOSTON state:<nil>>MA country:<nil>>United States country_code:<nil>>US primary_strategy:<nil>>buyout manager_type:<nil>>pe_vc fund_count:<nil>>1 total_gav:<nil>>1e+08 total_investors:<nil>>10 founded_year:<nil>>2026 canonical_gp_id:<nil>>7003 registration_status:<nil>>exempt_reporting",
		"fund_moved 7003 805-0000000003 filing ADV-7003-103 adviser_crd:7002>7003",
		"new_filing 7003 ADV-7003-103 filing ADV-7003-103ADV",
	}, got)
	require.Equal(t, []string{"5"}, b.row(`SELECT count(*) FROM platform.changes WHERE crd = '7001' AND day = '2026-04-20' AND said ->> 'gp_name' = 'ALDER POINT LLC'`))

	again := archive("c.zip", filing("104", "7001", "2026-05-20", "ALDER POINT LLC", raum(6e9)))
	again.funds = []*catalogapi.FundRow{fund("104", f1, "Alder Growth I", 5e8), fund("104", f2, "Alder II", 6e8), fund("104", "0000000009", "Alder IX", 1e8)}
	b.load(again)
	got, last = b.said(last)
	require.Contains(t, got, "fund_return 7001 805-0000000002 filing ADV-7001-104 status:closed>active")
	again.funds = again.funds[:2]
	b.load(again)
	got, last = b.said(last)
	require.Contains(t, got, "filing_restated 7001 ADV-7001-104 filing ADV-7001-104ADV/A")
	require.Contains(t, got, "retracted 7001 805-0000000009 filing  name:Alder IX><nil> strategy:buyout><nil> fund_type:Private Equity Fund><nil> vintage_year:2026><nil> vintage_quality:first_filing><nil> gross_asset_value:1e+08><nil> beneficial_owners_count:10><nil> exemptions:[]><nil> form_d_file_numbers:[]><nil> jurisdiction:Delaware><nil> country_code:US><nil> status:active><nil> adviser_crd:7001><nil>")

	b.load(withdrawals("advw.zip", withdrawal("7002", "14", "2026-06-30", true)))
	got, last = b.said(last)
	require.Equal(t, []string{"adviser_withdrawal 7002  filing  withdrawn_on:<nil>>2026-06-30"}, got)
	b.load(archive("d.zip", filing("105", "7002", "2026-07-20", "FENWICK LP", exempt)))
	got, last = b.said(last)
	require.Equal(t, []string{"adviser_return 7002  filing ADV-7002-105 withdrawn_on:2026-06-30><nil>", "new_filing 7002 ADV-7002-105 filing ADV-7002-105ADV/A"}, got)

	b.load(list("roster", "2026-08-01", "7001", "7002", "7003"))
	_, last = b.said(last)
	b.load(list("roster", "2026-09-01", "7001", "7002"))
	got, last = b.said(last)
	require.Equal(t, []string{"adviser_withdrawal 7003  list  not_listed_since:<nil>>2026-09-01"}, got)

	correct := func(statement string) {
		_, err := b.loader.Correct(t.Context(), "corrected", func(ctx context.Context) ([]string, error) {
			_, err := database.Run(ctx, b.db, "correct", statement, nil)
			return []string{"7001"}, err
		})
		require.NoError(t, err)
		b.follow()
		got, last = b.said(last)
	}
	correct(`INSERT INTO catalog.overrides (id, crd, field, value, valid_from) VALUES (1, '7001', 'legal_name', 'Alder Point Corrected LLC', '2026-01-01')`)
	require.Equal(t, []string{
		"adviser_change 7001  correction  legal_name:ALDER POINT LLC>Alder Point Corrected LLC", "correction 7001  correction  override.legal_name:<nil>>Alder Point Corrected LLC",
	}, got)
	correct(`UPDATE catalog.overrides SET removed_at = catalog.current_processing() WHERE id = 1`)
	require.Equal(t, []string{
		"adviser_change 7001  correction  legal_name:Alder Point Corrected LLC>ALDER POINT LLC", "correction 7001  correction  override.legal_name:Alder Point Corrected LLC><nil>",
	}, got)

	refused := errors.New("refused")
	_, err := b.loader.LoadDocument(t.Context(), list("roster", "2026-10-01", "7001").stream(), catalogapi.LoadOptions{Accept: func(context.Context, catalogapi.Staged) error { return refused }})
	require.ErrorIs(t, err, refused)
	got, _ = b.said(last)
	require.Empty(t, got, "of a roster that the quality gate has stopped")
}

// What only the day changes has its own reason.
func TestChangesOfTheCalendar(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	early := load.New(b.db, clock.Fixed(time.Date(2025, 12, 31, 23, 0, 0, 0, time.UTC)), discard)
	for i, gav := range []int64{400, 99} {
		key := strconv.Itoa(i + 1)
		d := archive(key+".zip", filing(key, "7001", []string{"2018-05-03", "2025-05-03"}[i], "ALDER POINT LLC"))
		d.funds = []*catalogapi.FundRow{fund(key, f1, "Alder I", gav)}
		_, err := early.LoadDocument(t.Context(), d.stream(), catalogapi.LoadOptions{RunID: 1})
		require.NoError(t, err)
	}
	_, last := b.said(0)
	_, err := b.loader.RefreshDerived(t.Context())
	require.NoError(t, err)
	got, _ := b.said(last)
	require.Equal(t, []string{"fund_change 7001 805-0000000001 calendar  status:active>liquidating"}, got)
}
