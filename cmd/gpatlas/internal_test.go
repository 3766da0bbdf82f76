package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// WEB_INTERNAL_ADDR has a default, and set to nothing it is off: in production, and in `gpatlas dev`, where the default is
// any free port.
func TestInternalAddressSetting(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		environ  []string
		web, dev string
	}{
		"not set": {nil, "127.0.0.1:8081", "127.0.0.1:0"},
		"set":     {[]string{"WEB_INTERNAL_ADDR=10.0.0.5:9000"}, "10.0.0.5:9000", "10.0.0.5:9000"},
		"off":     {[]string{"WEB_INTERNAL_ADDR="}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &program{environ: test.environ}
			s, _ := p.settingsFor() // other settings are missing
			require.Equal(t, test.web, s.Web.InternalAddr)
			s, _ = p.devSettings()
			require.Equal(t, test.dev, s.Web.InternalAddr)
		})
	}
}

// Values of people are invented in `gpatlas dev` with the sample alone, or where a setting asks for them.
func TestInventedPeopleSetting(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		environ          []string
		production, with []string
	}{
		"not set": {nil, nil, []string{"invented"}},
		"none":    {[]string{"PEOPLE_PROVIDERS="}, nil, nil},
		"another": {[]string{"PEOPLE_PROVIDERS=http", "PEOPLE_HTTP_URL=http://127.0.0.1:9/x"}, []string{"http"}, []string{"http"}},
		"asked":   {[]string{"PEOPLE_PROVIDERS=invented"}, []string{"invented"}, []string{"invented"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &program{environ: test.environ}
			s, _ := p.settingsFor() // other settings are missing
			require.ElementsMatch(t, test.production, s.People.Providers)
			s, _ = p.devSettings()
			require.ElementsMatch(t, test.production, s.People.Providers, "without the sample")
			p.inventedPeople(&s)
			require.ElementsMatch(t, test.with, s.People.Providers)
		})
	}
}
