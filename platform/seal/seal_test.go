package seal_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/seal"
)

func TestSeal(t *testing.T) {
	t.Parallel()
	first, second := []byte(strings.Repeat("a", 32)), []byte(strings.Repeat("b", 32))
	of := seal.Context{Purpose: "test", Owner: []byte{1}, Bound: []byte{2}}
	sealed, err := seal.Secrets{first}.Seal([]byte("whsec"), of)
	require.NoError(t, err)
	require.NotContains(t, string(sealed), "whsec")
	for name, c := range map[string]struct {
		secrets   seal.Secrets
		of        seal.Context
		old, read bool
	}{
		"same":             {seal.Secrets{first}, of, false, true},
		"being replaced":   {seal.Secrets{second, first}, of, true, true},
		"replaced":         {seal.Secrets{second}, of, false, false},
		"none":             {nil, of, false, false},
		"another purpose":  {seal.Secrets{first}, seal.Context{Purpose: "other", Owner: of.Owner, Bound: of.Bound}, false, false},
		"another owner":    {seal.Secrets{first}, seal.Context{Purpose: of.Purpose, Owner: []byte{9}, Bound: of.Bound}, false, false},
		"bound to another": {seal.Secrets{first}, seal.Context{Purpose: of.Purpose, Owner: of.Owner, Bound: nil}, false, false},
	} {
		plain, old, err := c.secrets.Open(sealed, c.of)
		require.Equal(t, c.old, old, name)
		if !c.read {
			require.ErrorIs(t, err, seal.ErrUnreadable, name)
			continue
		}
		require.NoError(t, err, name)
		require.Equal(t, "whsec", string(plain), name)
	}
	_, err = seal.Secrets{}.Seal(nil, of)
	require.ErrorIs(t, err, seal.ErrUnreadable)
	_, _, err = seal.Secrets{first}.Open(sealed[:3], of)
	require.ErrorIs(t, err, seal.ErrUnreadable)
}
