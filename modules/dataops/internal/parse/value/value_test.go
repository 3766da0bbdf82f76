package value_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops/internal/parse/value"
)

func TestMoney(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int64{
		"321687148":                 321687148,
		"           576,373,248.00": 576373248,
		"                      .00": 0,
		"0":                         0,
		"$1,000":                    1000,
		"$ 12":                      12,
		"12.":                       12,
		"1,234,567.49":              1234567,
		"0.50":                      1,
		"1.5E+9":                    1500000000,
		"6.266214688272E12":         6266214688272,
		"9007199254740992":          1 << 53,
	} {
		got, err := value.Money([]byte(in))
		require.NoError(t, err, in)
		require.NotNil(t, got, in)
		require.Equal(t, want, *got, in)
	}
	for in, reason := range map[string]string{
		"-5": "negative", "(5)": "negative", "-.00": "negative",
		"abc": "dollars", "1,2,3": "dollars", "12,34": "dollars", ",123": "dollars", "1234,567": "dollars", "1,234,": "dollars",
		".": "dollars", "1.2.3": "dollars", "1 000": "dollars", "$": "dollars", "0x10": "dollars", "1e": "dollars", "e5": "dollars",
		"NaN": "dollars", "Inf": "dollars", "1_000": "dollars", "５": "dollars", "1.5e-": "dollars", "$-5": "negative",
		"9007199254740993": "larger", "99999999999999999999999": "larger", "1e300": "larger", "1e999": "larger",
	} {
		got, err := value.Money([]byte(in))
		require.ErrorContains(t, err, reason, in)
		require.Nil(t, got, in)
	}
}

func TestCount(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int64{" 16": 16, "30.0": 30, " 1,850": 1850, "0": 0} {
		got, err := value.Count([]byte(in))
		require.NoError(t, err, in)
		require.Equal(t, want, *got, in)
	}
	for _, in := range []string{"30.5", "-1", "ten", "100-249", "1e-3"} {
		_, err := value.Count([]byte(in))
		require.Error(t, err, in)
	}
}

func TestPercent(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]float64{"54": 54, "0": 0, "100": 100, "12.5%": 12.5, "7 %": 7} {
		got, err := value.Percent([]byte(in))
		require.NoError(t, err, in)
		require.InDelta(t, want, *got, 0, in)
	}
	for _, in := range []string{"101", "-1", "half", "NaN", "Inf", "0x1p2", "1_0"} {
		_, err := value.Percent([]byte(in))
		require.Error(t, err, in)
	}
}

func TestFlag(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{"Y": true, "y": true, "Yes": true, "N": false, "no": false} {
		got, err := value.Flag([]byte(in))
		require.NoError(t, err, in)
		require.Equal(t, want, *got, in)
	}
	for _, in := range []string{"X", "yes, sir", "true", "1"} {
		_, err := value.Flag([]byte(in))
		require.Error(t, err, in)
	}
}

// TestAbsent guards the first rule of the sources: absent is neither zero nor no.
func TestAbsent(t *testing.T) {
	t.Parallel()
	for _, in := range []string{"", "   ", "\t\r\n"} {
		money, err := value.Money([]byte(in))
		require.NoError(t, err)
		require.Nil(t, money)
		count, err := value.Count([]byte(in))
		require.NoError(t, err)
		require.Nil(t, count)
		percent, err := value.Percent([]byte(in))
		require.NoError(t, err)
		require.Nil(t, percent)
		flag, err := value.Flag([]byte(in))
		require.NoError(t, err)
		require.Nil(t, flag)
		day, err := value.Date([]byte(in))
		require.NoError(t, err)
		require.True(t, day.IsZero())
		day, err = value.Serial([]byte(in))
		require.NoError(t, err)
		require.True(t, day.IsZero())
	}
}

func TestDate(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"06/24/2026 10:37:17 AM": "2026-06-24T10:37:17Z",
		"06/24/2026 12:00:00 AM": "2026-06-24T00:00:00Z",
		"06/24/2026 12:05:00 pm": "2026-06-24T12:05:00Z",
		"6/24/2025":              "2025-06-24T00:00:00Z",
		"6/24/2025 7:44":         "2025-06-24T07:44:00Z",
		" 04/03/1965 ":           "1965-04-03T00:00:00Z",
		"2024-07-10":             "2024-07-10T00:00:00Z",
		"2024-07-10T07:44:01":    "2024-07-10T07:44:01Z",
		"02/29/2024":             "2024-02-29T00:00:00Z",
	} {
		got, err := value.Date([]byte(in))
		require.NoError(t, err, in)
		require.Equal(t, want, got.Format(time.RFC3339), in)
	}
	for _, in := range []string{
		"13/01/2024", "02/30/2023", "02/29/2023", "0/1/2024", "1/0/2024", "6/24/25", "6/24", "6/24/2025 7", "6/24/2025 25:00",
		"6/24/2025 7:60", "6/24/2025 13:00 PM", "6/24/2025 7:44 XM", "06/24/2026x", "06-24-2026", "May-12", "45376", "1/1/1899", "1/1/2101", "//", "2024-07",
	} {
		_, err := value.Date([]byte(in))
		require.Error(t, err, in)
	}
}

func TestSerial(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"45376": "2024-03-25T00:00:00Z", "45376.5": "2024-03-25T12:00:00Z", "44470": "2021-10-01T00:00:00Z",
		"45376.0": "2024-03-25T00:00:00Z", "03/25/2024": "2024-03-25T00:00:00Z",
	} {
		got, err := value.Serial([]byte(in))
		require.NoError(t, err, in)
		require.Equal(t, want, got.Format(time.RFC3339), in)
	}
	for _, in := range []string{"0", "60", "99999999", "-5", "soon", "20240325"} {
		_, err := value.Serial([]byte(in))
		require.Error(t, err, in)
	}
}

func TestFormVersion(t *testing.T) {
	t.Parallel()
	require.Equal(t, "10/2021", value.FormVersion("44470"))
	require.Equal(t, "10/2021", value.FormVersion("10/2021"))
	require.Empty(t, value.FormVersion(""))
	require.Equal(t, "99999", value.FormVersion("99999"))
}

func TestIdentifiers(t *testing.T) {
	t.Parallel()
	type parse func([]byte) (string, error)
	good := []struct {
		parse    parse
		in, want string
	}{
		{value.CRD, "314119", "314119"},
		{value.CRD, " 0000314119 ", "314119"},
		{value.CRD, "314119.0", "314119"},
		{value.CRD, "1234567890", "1234567890"},
		{value.FilingID, "2115188", "2115188"},
		{value.FilingID, "123456789012345678", "123456789012345678"},
		{value.FundID, " 805-4964869201", "805-4964869201"},
		{value.FormDNumber, "021-123456", "021-123456"},
	}
	for _, c := range good {
		got, err := c.parse([]byte(c.in))
		require.NoError(t, err, c.in)
		require.Equal(t, c.want, got)
	}
	bad := []struct {
		parse      parse
		in, reason string
	}{
		{value.CRD, "", "is blank"},
		{value.CRD, "0", "CRD"},
		{value.CRD, "12345678901", "CRD"},
		{value.CRD, "801-12345", "CRD"},
		{value.CRD, "3.5", "CRD"},
		{value.CRD, "3.", "CRD"},
		{value.CRD, "-3", "CRD"},
		{value.CRD, "٣١٤", "CRD"},
		{value.FilingID, "1234567890123456789", "filing"},
		{value.FundID, " ", "is blank"},
		{value.FundID, "805-123", "fund"},
		{value.FundID, "805-49648692011", "fund"},
		{value.FundID, "806-4964869201", "fund"},
		{value.FundID, "805-49648692x1", "fund"},
		{value.FundID, "4964869201", "fund"},
		{value.FormDNumber, "", "is blank"},
		{value.FormDNumber, "021-", "Form D"},
		{value.FormDNumber, "21-123456", "Form D"},
		{value.FormDNumber, "021-12a", "Form D"},
	}
	for _, c := range bad {
		_, err := c.parse([]byte(c.in))
		require.ErrorContains(t, err, c.reason, c.in)
	}
}

func TestLEI(t *testing.T) {
	t.Parallel()
	require.Equal(t, "529900ABCDEFGHIJKL12", value.LEI([]byte(" 529900abcdefghijkl12 ")))
	for _, in := range []string{"", "N/A", "801-12345", "529900ABCDEFGHIJKL1", "529900-BCDEFGHIJKL12"} {
		require.Empty(t, value.LEI([]byte(in)), in)
	}
}

func TestPostal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ code, country, want string }{
		{"2481", "United States", "02481"},
		{"501", "UNITED STATES", "00501"},
		{"02481-2113", "United States", "02481-2113"},
		{"10019", "United States", "10019"},
		{"24", "United States", "24"},
		{"2481", "Norway", "2481"},
		{"2481", "", "2481"},
		{"W1J5", "United States", "W1J5"},
	} {
		require.Equal(t, c.want, value.Postal(c.code, c.country), c)
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in      string
		charset value.Charset
		want    string
	}{
		{"  HALCYON  RIDGE\r\n CAPITAL ", value.UTF8, "HALCYON RIDGE CAPITAL"},
		{"AMBERGATE GESTÃO", value.UTF8, "AMBERGATE GESTÃO"},
		{"AMBERGATE GESTÃƒO", value.UTF8, "AMBERGATE GESTÃO"}, // encoded twice
		{"RENÃ‰E Oâ€™DARE Ã\u0081", value.UTF8, "RENÉE O’DARE Á"},
		{"NAÇÃO São Ã", value.UTF8, "NAÇÃO São Ã"},
		{"AMBERGATE GEST\xc3O", value.Windows1252, "AMBERGATE GESTÃO"},
		{"\x93OAK\x94 \x96 \x80", value.Windows1252, "“OAK” – €"},
		{"A\u00a0B", value.UTF8, "A B"},
		{"A\xa0", value.Windows1252, "A"},
		{"X\xc2\xa0", value.Windows1252, "XÂ"},
		{"A\x81", value.Windows1252, "A\uFFFD"},
		{"A\u200b", value.UTF8, "A"},
		{"\u202eEGDIR NOYCLAH", value.UTF8, "EGDIR NOYCLAH"},
		{"\u2066 \u202aHAL\u00adCY\u2060ON\u202c \u2069 \u202b RIDGE\u202d", value.UTF8, "HALCYON RIDGE"},
		{"\u2067\u2068\u200e", value.UTF8, ""},
		{"HAL\xadCYON", value.Windows1252, "HALCYON"},
	} {
		require.Equal(t, c.want, value.Text([]byte(c.in), c.charset), c.in)
		var in value.Interner
		require.Equal(t, c.want, in.Text([]byte(c.in), c.charset), c.in)
		require.Equal(t, c.want, in.Text([]byte(c.in), c.charset), c.in)
	}
	require.Equal(t, "Windows-1252 UTF-8", value.Windows1252.String()+" "+value.UTF8.String())
}

func TestDateInName(t *testing.T) {
	t.Parallel()
	day, ok := value.DateInName("funds_2024-07-10_with_crd.csv")
	require.True(t, ok)
	require.Equal(t, "2024-07-10", day.Format(time.DateOnly))
	for _, name := range []string{"funds.csv", "funds_2024-13-10.csv", "2024-07-1"} {
		_, ok := value.DateInName(name)
		require.False(t, ok, name)
	}
	_, err := value.Day("20240230")
	require.Error(t, err)
	_, err = value.Day("+2024123")
	require.Error(t, err)
}
