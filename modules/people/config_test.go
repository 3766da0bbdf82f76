package people_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/people"
	"gpatlas/platform/config"
)

// Each setting of a provider that cannot be used is named at the start, and no key is repeated.
func TestProviderSettings(t *testing.T) {
	t.Parallel()
	const key = "hunter2 secret"
	for name, test := range map[string]struct {
		environ []string
		want    []string // beginnings of the faults; none = good
	}{
		"none":          {nil, nil},
		"all":           {[]string{"PEOPLE_PROVIDERS=http,pdl,hunter,invented", "PEOPLE_PDL_API_KEY=a", "PEOPLE_HUNTER_API_KEY=b", "PEOPLE_HTTP_URL=http://127.0.0.1:9/x"}, nil},
		"unknown":       {[]string{"PEOPLE_PROVIDERS=apollo"}, []string{`PEOPLE_PROVIDERS: "apollo" is not a provider; valid are pdl, hunter, http, invented`}},
		"twice":         {[]string{"PEOPLE_PROVIDERS=pdl,pdl", "PEOPLE_PDL_API_KEY=a"}, []string{"PEOPLE_PROVIDERS: pdl is named twice"}},
		"no key":        {[]string{"PEOPLE_PROVIDERS=pdl,hunter"}, []string{"PEOPLE_PDL_API_KEY: is not set", "PEOPLE_HUNTER_API_KEY: is not set"}},
		"key of blanks": {[]string{"PEOPLE_PROVIDERS=pdl", "PEOPLE_PDL_API_KEY=" + key}, []string{"PEOPLE_PDL_API_KEY: must be visible ASCII"}},
		"no URL":        {[]string{"PEOPLE_PROVIDERS=http"}, []string{"PEOPLE_HTTP_URL: must be an https:// URL"}},
		"open line":     {[]string{"PEOPLE_PROVIDERS=http", "PEOPLE_HTTP_URL=http://people.example/x"}, []string{"PEOPLE_HTTP_URL: must be an https:// URL"}},
		"key in URL":    {[]string{"PEOPLE_PROVIDERS=hunter", "PEOPLE_HUNTER_API_KEY=a", "PEOPLE_HUNTER_URL=https://api.hunter.io?api_key=" + key}, []string{"PEOPLE_HUNTER_URL: must be"}},
		"its name":      {[]string{"PEOPLE_HTTP_NAME=invented"}, []string{`PEOPLE_HTTP_NAME: "invented" is not`}},
		"taken name":    {[]string{"PEOPLE_HTTP_NAME=filings"}, []string{`PEOPLE_HTTP_NAME: "filings" is not`}},
		"numbers": {[]string{"PEOPLE_PDL_MIN_LIKELIHOOD=11", "PEOPLE_ENRICH_WAIT=2m", "PEOPLE_ENRICH_MAX=0"}, []string{
			`PEOPLE_PDL_MIN_LIKELIHOOD: "11" is not a whole number from 1 to 10`, `PEOPLE_ENRICH_MAX: "0" is not`, `PEOPLE_ENRICH_WAIT: "2m" is not a duration from 0s to 60s`,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var s struct {
				People people.Config `envPrefix:"PEOPLE_"`
			}
			err := config.Load(test.environ, &s)
			if len(test.want) == 0 {
				require.NoError(t, err)
				return
			}
			require.Error(t, err)
			for _, want := range test.want {
				require.ErrorContains(t, err, want)
			}
			require.NotContains(t, err.Error(), key)
		})
	}
}
