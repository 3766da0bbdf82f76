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
	require.Equal(t, []gate.Finding{{Check: gate.ValuesChanged, Reason: "most values differ from those of the filings before: raum (20 of 39), name (880 of 900)"}}, found)
	require.Empty(t, gate.Values(nil))
}
