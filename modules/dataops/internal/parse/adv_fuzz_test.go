package parse_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse"
)

// FuzzADVChildren puts any bytes in the place of one table that belongs to a filing: nothing may panic, and what is given
// keeps the promises of the catalog's contract.
func FuzzADVChildren(f *testing.F) {
	all := childFiles()
	names := slices.Sorted(maps.Keys(all))
	for i, name := range names {
		f.Add(i, []byte(all[name]))
		f.Add(i, []byte(strings.ToLower(all[name])+`7,"torn`))
	}
	f.Add(3, []byte("Filing ID\n\xff\n"))
	f.Fuzz(func(t *testing.T, which int, content []byte) {
		members := files{}
		for _, name := range []string{"IA_ADV_Base_A", "ERA_ADV_Base", "IA_Schedule_D_7B1A28", "IA_Schedule_D_7B1A6b"} { // few, to be fast
			members[name+month] = all[name+month]
		}
		members[names[(which%len(names)+len(names))%len(names)]] = string(content)
		c, err := drainChildren(t.Context(), write(t, "ADV_Filing_Data_1.zip", zipped(t, members)), parse.Options{})
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		requireFirmPromises(t, c)
		requireOwnerPromises(t, c)
		requireServedPromises(t, c)
		requireRejected(t, c.rejected)
	})
}

func requireRow(t *testing.T, filing, file string, line int) {
	t.Helper()
	require.Regexp(t, `^(IA|ERA):[1-9][0-9]{0,17}$`, filing)
	require.NotEmpty(t, file)
	require.Positive(t, line)
}

func requireFirmPromises(t *testing.T, c *children) {
	t.Helper()
	for _, r := range c.identifiers {
		requireRow(t, r.FilingKey, r.File, r.Line)
		require.Regexp(t, `^[1-9][0-9]{0,9}$`, r.Value)
	}
	for _, r := range c.offices {
		requireRow(t, r.FilingKey, r.File, r.Line)
		require.True(t, utf8.ValidString(r.Street1+r.City+r.Country))
	}
	for _, r := range c.affiliates {
		requireRow(t, r.FilingKey, r.File, r.Line)
		require.NotEmpty(t, r.LegalName+r.BusinessName)
		for _, letter := range r.Types {
			require.Regexp(t, `^[a-p]$`, letter)
		}
	}
}

func requireOwnerPromises(t *testing.T, c *children) {
	t.Helper()
	for _, r := range c.owners {
		requireRow(t, r.FilingKey, r.File, r.Line)
		require.Contains(t, []string{"A", "B"}, r.Schedule)
		require.NotEmpty(t, r.Name)
		require.True(t, utf8.ValidString(r.Name))
		require.Contains(t, []string{"", "I", "DE", "FE"}, r.EntityType)
		require.Contains(t, []string{"", "NA", "A", "B", "C", "D", "E", "F"}, r.OwnershipCode)
		require.True(t, r.AcquiredMonth >= 0 && r.AcquiredMonth <= 12)
		require.Regexp(t, `^([1-9][0-9]{5,6})?$`, r.OwnerID)
	}
	for _, r := range c.disclosures {
		requireRow(t, r.FilingKey, r.File, r.Line)
		for _, item := range r.Items {
			require.Regexp(t, `^11\.[A-H](\([1-9]\)(\([a-z]\))?)?$`, item)
		}
		for _, sanction := range r.Sanctions {
			require.NotEmpty(t, sanction)
			require.Equal(t, strings.ToLower(sanction), sanction)
		}
	}
	for _, r := range c.implicated {
		requireRow(t, r.FilingKey, r.File, r.Line)
		require.NotEmpty(t, r.ReferenceID)
		require.NotEmpty(t, r.Name)
	}
}

func requireServedPromises(t *testing.T, c *children) {
	t.Helper()
	for _, r := range c.providers {
		requireRow(t, r.FilingKey, r.File, r.Line)
		require.NotEmpty(t, r.ReferenceID)
		require.NotEmpty(t, r.Name)
		require.Regexp(t, `^([1-9][0-9]{0,9})?$`, r.CRD)
		require.Regexp(t, `^([A-Z0-9]{20})?$`, r.LEI)
	}
	for _, r := range c.feeders {
		requireRow(t, r.FilingKey, r.File, r.Line)
		require.NotEmpty(t, r.ReferenceID)
		require.NotEmpty(t, r.Name+r.FundID)
		require.Regexp(t, `^(805-[0-9]{10})?$`, r.FundID)
	}
	for _, r := range c.subAdvised {
		requireRow(t, r.FilingKey, r.File, r.Line)
		require.NotEmpty(t, r.Name+r.FundID)
	}
}

func requireRejected(t *testing.T, rows []catalogapi.Rejected) {
	t.Helper()
	for _, r := range rows {
		require.NotEmpty(t, r.File)
		require.NotEmpty(t, r.Reason)
		require.Positive(t, r.Line)
		require.True(t, utf8.ValidString(r.Reason+r.Raw))
		require.NotContains(t, r.Reason+r.Raw, "\x00")
		require.LessOrEqual(t, len(r.Raw), 4<<10)
	}
}

// FuzzWithdrawals puts any bytes in the place of the table of withdrawals.
func FuzzWithdrawals(f *testing.F) {
	f.Add([]byte(withdrawalFiles()[withdrawalTable]))
	f.Add([]byte(table(`CRD Number,FilingID,Filing Type,Filing Date,Reasons for Withdrawal`, "4711,1,FULL,6/1/2026,CAF\xc9", `1,1,FULL,"torn`)))
	f.Fuzz(func(t *testing.T, content []byte) {
		c, err := drainChildren(t.Context(), write(t, withdrawalTable, content), parse.Options{})
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		seen := map[string]bool{}
		for _, w := range c.withdrawals {
			require.Regexp(t, `^[1-9][0-9]{0,9}$`, w.CRD)
			require.False(t, seen[w.FilingID], "filing numbers are unique")
			seen[w.FilingID] = true
			require.False(t, w.Submitted.IsZero())
			require.True(t, utf8.ValidString(w.LegalName+w.Reason))
		}
		requireRejected(t, c.rejected)
	})
}
