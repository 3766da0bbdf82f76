package value_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops/internal/parse/value"
)

func TestMonthYear(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string][2]int{
		"09/2001": {2001, 9}, " 9/2001 ": {2001, 9}, "May-12": {2012, 5}, "MAY-30": {1930, 5}, "Dec-29": {2029, 12}, "Sept-05": {2005, 9},
		"May 2012": {2012, 5}, "September-1999": {1999, 9}, "2001-09": {2001, 9}, "2012-05-01": {2012, 5}, "5/1/2012": {2012, 5},
		"05/01/2012 00:00:00": {2012, 5}, "2001": {2001, 0},
		"": {}, "13/2001": {}, "00/2001": {}, "05/12": {}, "12-May": {}, "Foo-12": {}, "May-2": {}, "1/1/1": {},
		"TO COME": {}, "0000": {}, "05/0012": {}, "9/20011": {}, "/": {}, "-": {}, "May-": {}, "-12": {}, "١٢/2001": {},
	} {
		year, month := value.MonthYear([]byte(cell))
		require.Equal(t, want, [2]int{year, month}, "%q", cell)
	}
}

func TestOwnerID(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"1000018": "1000018", "129052": "129052", " 0129052 ": "129052", "129052.0": "129052",
		"": "", "8209": "", "01-0940455": "", "XX123456": "", "FOREIGN": "", "#": "", "[TO COME]": "", "0": "", "00-0000000": "", "1": "",
		"12345678": "", "0000001": "",
	} {
		require.Equal(t, want, value.OwnerID([]byte(cell)), "%q", cell)
	}
}

// TestLoose: what the strict readers refuse is absent here, and what they accept is the same.
func TestLoose(t *testing.T) {
	t.Parallel()
	require.Nil(t, value.Loose(value.Flag([]byte("maybe"))))
	require.True(t, *value.Loose(value.Flag([]byte("Y"))))
	require.Nil(t, value.Loose(value.Count([]byte("a few"))))
	require.Equal(t, int64(16), *value.Loose(value.Count([]byte(" 16"))))
	require.True(t, value.Loose(value.Date([]byte("02/30/2021"))).IsZero())
	require.Equal(t, time.Date(2021, 2, 19, 0, 0, 0, 0, time.UTC), value.Loose(value.Date([]byte("02/19/2021"))))
	require.Empty(t, value.Loose(value.CRD([]byte("N/A"))))
	require.Equal(t, "343311", value.Loose(value.CRD([]byte("0000343311"))))
	require.Empty(t, value.Loose(value.FundID([]byte("805-12"))))
	require.Equal(t, "805-4964869201", value.Loose(value.FundID([]byte("805-4964869201"))))
	for cell, want := range map[string]int64{"5000": 5000, "$5,000.99": 5000, "0": 0} {
		require.Equal(t, want, *value.Dollars([]byte(cell)), "%q", cell)
	}
	require.Equal(t, int64(12), *value.Dollars([]byte(" $ 12 ")))
	for _, cell := range []string{"", "$", "50,000 JOINTLY", "-5", "1e99", "1,00"} {
		require.Nil(t, value.Dollars([]byte(cell)), "%q", cell)
	}
	require.Equal(t, value.UTF8, value.CharsetOf([]byte("MÜNCHEN")))
	require.Equal(t, value.Windows1252, value.CharsetOf([]byte("M\xdcNCHEN")))
}

// FuzzLoose feeds any cell to the readers that refuse nothing: none may panic, and what they give keeps its promise.
func FuzzLoose(f *testing.F) {
	for _, seed := range []string{"", "09/2001", "May-12", "2001-09", "2001", "13/2001", "1000018", "00-0000000", "$5,000.99", "1e300", "\xff", "-", "/-/"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		year, month := value.MonthYear(b)
		require.True(t, year == 0 && month == 0 || year >= 1900 && year <= 2100 && month >= 0 && month <= 12, "%d-%d", year, month)
		if id := value.OwnerID(b); id != "" {
			require.Regexp(t, `^[1-9][0-9]{5,6}$`, id)
		}
		if crd := value.Loose(value.CRD(b)); crd != "" {
			require.Regexp(t, `^[1-9][0-9]{0,9}$`, crd)
		}
		if n := value.Dollars(b); n != nil {
			require.True(t, *n >= 0 && *n <= 1<<53)
		}
		_, _, _, _ = value.Loose(value.Flag(b)), value.Loose(value.Count(b)), value.Loose(value.Date(b)), value.Loose(value.FundID(b))
	})
}
