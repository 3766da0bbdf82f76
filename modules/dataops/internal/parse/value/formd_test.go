package value_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops/internal/parse/value"
)

func TestEDGARDate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"29-MAR-2022": "2022-03-29", "29-Mar-22": "2022-03-29", "1-jan-99": "1999-01-01", "2023-09-28": "2023-09-28", "9/28/2023": "2023-09-28", "31-DEC-79": "2079-12-31",
	} {
		got, err := value.EDGARDate([]byte(text))
		require.NoError(t, err, text)
		require.Equal(t, want, got.Format(time.DateOnly), text)
	}
	for _, text := range []string{"31-FEB-2022", "29-MRZ-2022", "-MAR-2022", "29-MAR-", "29-MAR-2", "29-MAR-20222", "0-MAR-2022", "x9-MAR-2022", "29-MAR-0022", "2022-MAR-29"} {
		_, err := value.EDGARDate([]byte(text))
		require.Error(t, err, text)
	}
	got, err := value.EDGARDate(nil)
	require.NoError(t, err)
	require.True(t, got.IsZero())
}

func TestFormDValues(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"true": true, "YES": true, "1": true, "y": true, "False": false, "NO": false, "0": false, "n": false} {
		got, err := value.Truth([]byte(text))
		require.NoError(t, err, text)
		require.Equal(t, want, *got, text)
	}
	got, err := value.Truth([]byte(" "))
	require.NoError(t, err)
	require.Nil(t, got)
	_, err = value.Truth([]byte("2"))
	require.EqualError(t, err, "is neither true nor false")

	for text, want := range map[string]string{"0001851508": "1851508", "1851508": "1851508", "0000000000": "", "": ""} {
		got, err := value.CIK([]byte(text))
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"12345678901", "12a", "-1"} {
		_, err := value.CIK([]byte(text))
		require.Error(t, err, text)
	}

	for _, text := range []string{"0001851508-21-000002", "000185150821000002", " 0001851508-21-000002 "} {
		got, err := value.Accession([]byte(text))
		require.NoError(t, err, text)
		require.Equal(t, "0001851508-21-000002", got)
	}
	for _, text := range []string{"", "0001851508-21-00002", "00018515082100000", "0001851508_21_000002", "000185150821-00-0002", "ADV-1-2"} {
		_, err := value.Accession([]byte(text))
		require.Error(t, err, text)
	}

	for _, text := range []string{"", "None", "NONE", "n/a", "NA", "-", "--", ".", "0", "0000", "Not applicable", " \t"} {
		require.True(t, value.None([]byte(text)), text)
	}
	for _, text := range []string{"Na", "Nona", "x", "-1", "04"} {
		require.False(t, value.None([]byte(text)), text)
	}

	amount, indefinite, err := value.Offered([]byte(" indefinite "))
	require.NoError(t, err)
	require.True(t, indefinite)
	require.Nil(t, amount)
	amount, indefinite, err = value.Offered([]byte("1000000000000"))
	require.NoError(t, err)
	require.False(t, indefinite)
	require.Equal(t, int64(1e12), *amount)
	_, _, err = value.Offered([]byte("some"))
	require.EqualError(t, err, `is neither an amount in dollars nor "Indefinite"`)
	_, _, err = value.Offered([]byte("-1"))
	require.EqualError(t, err, "is negative")

	require.Equal(t, 2020, value.Year([]byte(" 2020 ")))
	for _, text := range []string{"", "20", "0000", "1066", "2O20", "20201"} {
		require.Zero(t, value.Year([]byte(text)), text)
	}
}
