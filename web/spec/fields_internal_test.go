package spec

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A field that is renamed, and a schema that is, are found.
func TestMissingFields(t *testing.T) {
	t.Parallel()
	document := `{"components":{"schemas":{"A":{"properties":{"id":{},"more":{}}}}}}`
	missing, err := missingFields("schema\tfields\nA\tid,name\nB\tid\n", []byte(document))
	require.NoError(t, err)
	require.Equal(t, []string{"A.name", "B.id"}, missing)
	_, err = missingFields(fields, []byte("{"))
	require.Error(t, err)
}
