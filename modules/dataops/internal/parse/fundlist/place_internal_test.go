package fundlist

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
)

// What the catalog calls a state of the United States is one in a fund list too, among them the territories.
func TestPlace(t *testing.T) {
	t.Parallel()
	for _, name := range catalogapi.USStates {
		for _, written := range []string{name, strings.ToUpper(name)} {
			state, country := place(written)
			require.Equal(t, []string{written, "United States"}, []string{state, country})
		}
	}
	for _, abroad := range []string{"Cayman Islands", "British Virgin Islands", "Ireland", ""} {
		state, country := place(abroad)
		require.Equal(t, []string{"", abroad}, []string{state, country})
	}
}
