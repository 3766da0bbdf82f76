package gate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/gate"
)

func TestValues(t *testing.T) {
	t.Parallel()
	found := gate.Values([]catalogapi.ChangedValues{
		{Field: "raum", Compared: 39, Changed: 20}, {Field: "city", Compared: 40, Changed: 20}, {Field: "phone", Compared: 19, Changed: 19}, {Field: "name", Compared: 900, Changed: 880},
	})
	require.Equal(t, []gate.Finding{{Check: gate.ValuesChanged, Reason: "too many values differ from those of the filings before: raum (20 of 39), name (880 of 900)"}}, found)
	require.Len(t, gate.Values([]catalogapi.ChangedValues{{Field: "crd", Compared: 99, Changed: 5}}), 1)
	require.Len(t, gate.Values([]catalogapi.ChangedValues{{Field: "funds.auditors", Compared: 99, Changed: 25}}), 1)
	require.Len(t, gate.Values([]catalogapi.ChangedValues{{Field: "notices.issuers", Compared: 99, Changed: 5}}), 1)
	require.Empty(t, gate.Values([]catalogapi.ChangedValues{{Field: "notices.issuers", Compared: 4, Changed: 4}, {Field: "notices.amount_sold", Compared: 90, Changed: 30}}))
	issuers := gate.Values([]catalogapi.ChangedValues{{Field: "restated notices.issuers", Compared: 90_000, Changed: 1}})
	require.Len(t, issuers, 1)
	require.Contains(t, issuers[0].Reason, "restated notices.issuers (1 of 90000). A notice keeps its accession number and its issuers")
	require.Empty(t, gate.Values([]catalogapi.ChangedValues{{Field: "restated notices.issuers", Compared: 90_000}}))
	require.Len(t, gate.Values([]catalogapi.ChangedValues{{Field: "restated notices.amount_sold", Compared: 59, Changed: 3}}), 1)
	require.Empty(t, gate.Values([]catalogapi.ChangedValues{{Field: "restated notices.amount_sold", Compared: 60, Changed: 3}, {Field: "restated notices.form_type", Compared: 2, Changed: 2}}))
	require.Empty(t, gate.Values([]catalogapi.ChangedValues{{Field: "crd", Compared: 100, Changed: 5}, {Field: "funds.auditors", Compared: 200, Changed: 25}}))
	require.Empty(t, gate.Values([]catalogapi.ChangedValues{{Field: "name", Compared: 90, Changed: 60, Most: 31}}), "one adviser may rename all its funds")
	require.Len(t, gate.Values([]catalogapi.ChangedValues{{Field: "name", Compared: 90, Changed: 60, Most: 29}}), 1)
}

func TestRenamed(t *testing.T) {
	t.Parallel()
	require.Empty(t, gate.Renamed(""))
	found := gate.Renamed("Larkspur System, MA (8 of 8 commitments of Larkspur Teachers, MA)")
	require.Len(t, found, 1)
	require.Equal(t, gate.ValuesChanged, found[0].Check)
	require.Contains(t, found[0].Reason, "Larkspur System, MA (8 of 8 commitments of Larkspur Teachers, MA)")
}

func TestMisdated(t *testing.T) {
	t.Parallel()
	require.Len(t, gate.Misdated(5, 99), 1)
	require.Empty(t, gate.Misdated(5, 100))
	require.Empty(t, gate.Misdated(4, 4))
}
