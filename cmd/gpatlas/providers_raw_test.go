package main

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/dbtest"
	"gpatlas/sample"
)

// V15: the firms that serve a fund are those that a reading of the archives finds: of each role as the newest filing that names the fund states
// them, if its archive has rows in the role's table for its kind of manager. Without such a filing the role is not stated.
func TestProvidersOfTheArchives(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := sample.Write(t.Context(), sample.Options{Dir: dir})
	require.NoError(t, err)
	archives, err := filepath.Glob(filepath.Join(dir, "ADV_Filing_Data_*.zip"))
	require.NoError(t, err)
	tables := map[string][2]string{
		"auditor": {"7B1A23", "Name of Auditing Firm"}, "prime_broker": {"7B1A24", "Name of Prime Broker"}, "custodian": {"7B1A25", "Legal Name of Custodian"},
		"administrator": {"7B1A26", "Name of Administrator"}, "marketer": {"7B1A28", "Name of Marketer"},
	}
	type filed struct {
		day string
		id  int
	}
	type answer struct {
		by    filed
		names []string
	}
	want := map[string]map[string]answer{} // by fund and role
	for _, archive := range archives {
		for kind, base := range map[string]string{"IA": "IA_ADV_Base_A", "ERA": "ERA_ADV_Base"} {
			days := map[string]string{}
			members(t, archive, base, ',', func(row map[string]string) {
				day, err := time.Parse("1/2/2006", strings.Fields(cellOf(row, "DateSubmitted"))[0])
				require.NoError(t, err)
				days[cellOf(row, "FilingID")] = day.Format(time.DateOnly)
			})
			named := map[string]map[string][]string{} // by role, and by filing and fund
			for role, table := range tables {
				members(t, archive, kind+"_Schedule_D_"+table[0]+"_2", ',', func(row map[string]string) {
					if named[role] == nil {
						named[role] = map[string][]string{}
					}
					key := cellOf(row, "FilingID") + "|" + cellOf(row, "ReferenceID")
					named[role][key] = append(named[role][key], strings.Join(strings.Fields(cellOf(row, table[1])), " "))
				})
			}
			members(t, archive, kind+"_Schedule_D_7B1_2", ',', func(row map[string]string) {
				key, fund := cellOf(row, "FilingID"), cellOf(row, "Fund ID")
				id, err := strconv.Atoi(key)
				require.NoError(t, err)
				by := filed{days[key], id}
				if want[fund] == nil {
					want[fund] = map[string]answer{}
				}
				for role, rows := range named {
					before, known := want[fund][role]
					if !known || cmp.Or(cmp.Compare(by.day, before.by.day), cmp.Compare(by.id, before.by.id)) > 0 {
						names := rows[key+"|"+cellOf(row, "ReferenceID")]
						slices.Sort(names)
						want[fund][role] = answer{by, slices.Compact(names)}
					}
				}
			})
		}
	}
	require.Greater(t, len(want), 1000)

	h := startHouse(t, sampleDB.NewURL(t), dbtest.RedisURL(t), "ANONYMOUS_LIMITS=off")
	rows, withheld := map[string]int{}, 0
	for i, fund := range slices.Sorted(maps.Keys(want)) {
		if i%4 > 0 {
			continue
		}
		status, body := get(t, h.base+"/v1/funds/"+fund+"/providers?per_page=100")
		require.Equal(t, http.StatusOK, status, body)
		var got struct {
			Data []struct {
				Role string
				Name *string `json:"name_as_filed"`
			}
			Meta struct {
				Withheld int
				Basis    struct{ Stated map[string]bool }
			}
		}
		require.NoError(t, json.Unmarshal([]byte(body), &got))
		names := map[string][]string{}
		for _, row := range got.Data {
			require.NotNil(t, row.Name, "%s: %s", fund, body)
			names[row.Role] = append(names[row.Role], *row.Name)
			rows[row.Role]++
		}
		missing := 0
		for role := range tables {
			stated, ok := want[fund][role]
			require.Equal(t, ok, got.Meta.Basis.Stated[role], "%s of %s: %s", role, fund, body)
			for _, name := range names[role] {
				require.Contains(t, stated.names, name, "%s of %s", role, fund)
			}
			missing += len(stated.names) - len(names[role])
		}
		require.Equal(t, got.Meta.Withheld, missing, "%s: %v: %s", fund, want[fund], body)
		withheld += missing
	}
	for role := range tables {
		require.Greater(t, rows[role], 10, role)
	}
	require.Positive(t, withheld)
}
