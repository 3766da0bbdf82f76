package plaintext_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/plaintext"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	flags := []string{"addr", "data-dir", "add", "source"}
	require.Equal(t, "source", plaintext.Nearest("sources", flags, 2))
	require.Equal(t, "data-dir", plaintext.Nearest("datadir", flags, 2))
	require.Equal(t, "addr", plaintext.Nearest("adr", flags, 2), "the first of the nearest")
	require.Equal(t, "add", plaintext.Nearest("add", flags, 2))
	require.Empty(t, plaintext.Nearest("port", flags, 2))
	require.Equal(t, "data-dir", plaintext.Nearest("dataxyzir", flags, 9))
	require.Equal(t, "ba", plaintext.Nearest("ab", []string{"cd", "ba"}, 1), "two letters exchanged are one fault")
	require.Equal(t, "sitting", plaintext.Nearest("kitten", []string{"sitting"}, 3))
	require.Empty(t, plaintext.Nearest("kitten", []string{"sitting"}, 2))
	require.Equal(t, "four", plaintext.Nearest("", []string{"four"}, 4))
}
