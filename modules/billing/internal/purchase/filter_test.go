package purchase_test

import (
	"encoding/csv"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/httpapitest"
)

const (
	testKey   = "1f0e8a65-90b1-4d5c-9b53-5f7b1b0c9d21"
	nightly   = "2a0e8a65-90b1-4d5c-9b53-5f7b1b0c9d22"
	unrelated = "3b0e8a65-90b1-4d5c-9b53-5f7b1b0c9d23"
)

func (b *bench) addKey(t *testing.T, userID int64, id, name, mode string) {
	t.Helper()
	_, err := database.Run(t.Context(), b.db, "add a key", `INSERT INTO keys.api_keys (id, user_id, name, tier, mode, hash, last_four, created_at)
		VALUES (@id::text::uuid, @user, @name, 'starter', @mode, sha256(@id::text::bytea), '0000', now())`,
		database.Args{"id": id, "user": userID, "name": name, "mode": mode})
	require.NoError(t, err)
}

// mixed charges over three days, by a session, a live key and a test key, for amounts whose sums floating-point numbers miss.
func mixed(t *testing.T) *bench {
	t.Helper()
	b := setup(t)
	b.addKey(t, 1, nightly, `=HYPERLINK("x")`, "live")
	b.addKey(t, 1, testKey, "Trial", "test")
	b.addKey(t, 2, unrelated, "Of another", "live")
	live := &auth.Principal{Kind: auth.Key, UserID: 1, KeyID: nightly, Mode: "live"}
	other := charge.Item{Operation: "search-aggregate", Per: charge.PerRequest, UnitMicros: 12_501, RequestID: "req-3"}
	for _, at := range []string{"2026-10-31T23:58:30Z", "2026-11-01T00:00:00Z", "2026-11-02T23:59:00Z"} {
		b.clock.Set(clocktest.Instant(at))
		b.charge(t, as(1), fee("900001", 100_000))
		b.charge(t, live, fee("900002", 200_000)) // the first day's is in the next minute, of the same day; the last day's is in the next day
		b.charge(t, live, other)
	}
	b.clock.Set(clocktest.Instant("2026-11-03T12:00:00Z"))
	b.charge(t, &auth.Principal{Kind: auth.Key, UserID: 1, KeyID: testKey, Mode: auth.ModeTest}, fee("900001", 100_000))
	b.charge(t, live, team("per_a", "per_b"))
	b.charge(t, &auth.Principal{Kind: auth.Key, UserID: 2, KeyID: unrelated, Mode: "live"}, fee("900001", 100_000))
	return b
}

type sums struct {
	Data []struct {
		ID        int64
		CreatedAt string `json:"created_at"`
		Operation string
		Key       *struct{ ID, Name string }
	}
	Meta struct {
		Total  int
		Amount json.Number
		Groups []struct {
			Operation, Day    *string
			Key               *struct{ ID, Name string }
			Charges, Quantity int
			Amount            json.Number
		}
	}
}

func (b *bench) read(t *testing.T, query string) (s sums) {
	t.Helper()
	got := b.host.Do(t, httpapitest.Scenario{Path: path + "?" + query, As: as(1)})
	require.NoError(t, json.Unmarshal([]byte(got.Body), &s))
	return s
}

// micros reads an amount by its digits.
func micros(t *testing.T, amount string) int64 {
	t.Helper()
	whole, decimals, _ := strings.Cut(amount, ".")
	n, err := strconv.ParseInt(whole+(decimals + "000000")[:6], 10, 64)
	require.NoError(t, err)
	require.LessOrEqual(t, len(decimals), 6, amount)
	return n
}

// Each filter chooses the rows that the ledger has for it; their sums, by whatever, are those of the ledger to the micro-dollar.
func TestFiltersAndSums(t *testing.T) {
	t.Parallel()
	b := mixed(t)
	for query, where := range map[string]string{
		"":                                      "true",
		"operation=get-gp-metrics":              "operation = 'get-gp-metrics'",
		"operation=nothing":                     "false",
		"key=" + nightly:                        "key_id = '" + nightly + "'",
		"key=none":                              "key_id IS NULL",
		"key=" + unrelated:                      "false",
		"from=2026-11-01":                       "at >= '2026-11-01T00:00:00Z'",
		"to=2026-10-31":                         "at < '2026-11-01T00:00:00Z'",
		"from=2026-11-02&to=2026-11-02":         "at >= '2026-11-02T00:00:00Z' AND at < '2026-11-03T00:00:00Z'",
		"month=2026-11&to=2026-11-01":           "period = '2026-11-01' AND at < '2026-11-02T00:00:00Z'",
		"operation=get-gp-metrics&key=none":     "operation = 'get-gp-metrics' AND key_id IS NULL",
		"from=2026-11-03&key=" + testKey:        "at >= '2026-11-03T00:00:00Z' AND key_id = '" + testKey + "'",
		"key=" + nightly + "&month=2026-10":     "key_id = '" + nightly + "' AND period = '2026-10-01'",
		"operation=unlock-gp-team&to=2026-11-9": "",
	} {
		if where == "" { // a day is written with two digits
			b.host.Do(t, httpapitest.Scenario{Path: path + "?" + query, As: as(1), Status: 400})
			continue
		}
		var ids []int64
		var want struct{ Total, Quantity, Amount int64 }
		require.NoError(t, b.db.From(t.Context()).Raw("SELECT id FROM billing.charges WHERE user_id = 1 AND "+where+" ORDER BY id DESC").Scan(&ids).Error)
		require.NoError(t, b.db.From(t.Context()).Raw("SELECT count(*) AS total, coalesce(sum(quantity), 0) AS quantity, coalesce(sum(amount_micros), 0) AS amount FROM billing.charges WHERE user_id = 1 AND "+where).Scan(&want).Error)
		for _, by := range []string{"", "operation", "key", "day"} {
			asked := query
			if by != "" {
				asked += "&group_by=" + by
			}
			got := b.read(t, asked)
			var listed []int64
			for _, p := range got.Data {
				listed = append(listed, p.ID)
			}
			require.Equal(t, ids, listed, asked)
			require.EqualValues(t, want.Total, got.Meta.Total, asked)
			require.Equal(t, want.Amount, micros(t, got.Meta.Amount.String()), asked)
			if by == "" {
				require.Nil(t, got.Meta.Groups)
				continue
			}
			require.NotNil(t, got.Meta.Groups, asked)
			var charges, quantity, amount int64
			seen := map[string]bool{}
			for _, g := range got.Meta.Groups {
				charges, quantity, amount = charges+int64(g.Charges), quantity+int64(g.Quantity), amount+micros(t, g.Amount.String())
				name := "null"
				switch {
				case by == "operation":
					name = *g.Operation
				case by == "day":
					name = *g.Day
				case g.Key != nil:
					name = g.Key.ID
				}
				require.False(t, seen[name], "%s is twice in the sums of %s", name, asked)
				seen[name] = true
			}
			require.Equal(t, []int64{want.Total, want.Quantity, want.Amount}, []int64{charges, quantity, amount}, asked)
		}
	}
	byDay := b.read(t, "group_by=day&limit=1").Meta.Groups
	require.Equal(t, []string{"2026-11-03", "2026-11-02", "2026-11-01", "2026-10-31"}, []string{*byDay[0].Day, *byDay[1].Day, *byDay[2].Day, *byDay[3].Day})
	byKey := b.read(t, "group_by=key").Meta.Groups
	require.Len(t, byKey, 3)
	require.Equal(t, `=HYPERLINK("x")`, byKey[0].Key.Name, "the largest first")
	require.Nil(t, byKey[1].Key)
	require.Equal(t, "Trial", byKey[2].Key.Name)
	b.host.Do(t, httpapitest.Scenario{Path: path + "/gp/900002?group_by=operation&limit=1&key=" + nightly, As: as(1), Contains: []string{`"charges":3,"quantity":3,"amount":0.6}`}})
}

// The file has the rows and amounts of the list, all of them, and no formula.
func TestCSV(t *testing.T) {
	t.Parallel()
	b := mixed(t)
	_, err := database.Run(t.Context(), b.db, "", `INSERT INTO billing.charges (period, at, user_id, operation, subject, quantity, unit_micros, amount_micros, mode, request_id, reason)
		SELECT '2026-11-01', '2026-11-04T00:00:00Z', 1, 'adjustment', '', 1, -1, -1, 'live', '', '=1+1' FROM generate_series(1, 4100)`, nil)
	require.NoError(t, err)
	file := func(query string) [][]string {
		got := b.host.Do(t, httpapitest.Scenario{Path: path + "?format=csv" + query, As: as(1), WantHeader: map[string]string{
			"Content-Type": "text/csv; charset=utf-8; header=present", "Content-Disposition": `attachment; filename="gpatlas-purchases.csv"`,
		}})
		require.Equal(t, strings.Count(got.Body, "\n"), strings.Count(got.Body, "\r\n"))
		rows, err := csv.NewReader(strings.NewReader(got.Body)).ReadAll()
		require.NoError(t, err)
		return rows
	}
	rows := file("")
	head := rows[0]
	at := func(row []string, column string) string { return row[slices.Index(head, column)] }
	require.Len(t, rows, 1+4100+11, "beyond what is read at once")
	var total int64
	var ids []string
	for _, r := range rows[1:] {
		ids = append(ids, at(r, "id"))
		whole, negative := strings.CutPrefix(at(r, "amount"), "-")
		total += map[bool]int64{true: -1, false: 1}[negative] * micros(t, whole)
		require.Contains(t, []string{"", `'=HYPERLINK("x")`, "Trial"}, at(r, "key_name"))
		require.Contains(t, []string{"", "'=1+1"}, at(r, "reason"))
	}
	require.Len(t, slices.Compact(ids), 4111)
	require.Equal(t, "-0.000001", at(rows[1], "amount"), "a number is no text")
	got := b.read(t, "limit=1")
	require.Equal(t, micros(t, got.Meta.Amount.String()), total)
	listed := b.read(t, "limit=1&offset=4100").Data[0]
	require.Equal(t, []string{strconv.FormatInt(listed.ID, 10), listed.Operation, listed.Key.ID}, []string{at(rows[4101], "id"), at(rows[4101], "operation"), at(rows[4101], "key_id")})
	require.Len(t, file("&key="+url.QueryEscape(testKey)), 2)
	require.Len(t, file("&operation=nothing"), 1, "the header line alone")

	require.Equal(t, [][]string{
		{"operation", "key_id", "key_name", "day", "charges", "quantity", "amount"},
		{"", nightly, `'=HYPERLINK("x")`, "", "7", "8", "1.637503"},
		{"", "", "", "", "3", "3", "0.30"},
		{"", testKey, "Trial", "", "1", "1", "0.00"},
	}, file("&group_by=key&to=2026-11-03"))
	b.db.Close()
	b.host.Do(t, httpapitest.Scenario{Path: path + "?format=csv", As: as(1), Status: 503})
}
