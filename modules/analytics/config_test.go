package analytics_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/analytics"
)

func TestConfig(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config analytics.Config
		want   string
	}{
		"nothing":    {analytics.Config{}, ""},
		"configured": {analytics.Config{RegulatoryURL: "https://api.example.com", RegulatoryTimeout: time.Second, RegulatoryContact: "data@example.com"}, ""},
		"no host":    {analytics.Config{RegulatoryURL: "https:", RegulatoryTimeout: time.Second}, "ANALYTICS_REGULATORY_URL"},
		"no web":     {analytics.Config{RegulatoryURL: "ftp://example.com", RegulatoryTimeout: time.Second}, "ANALYTICS_REGULATORY_URL"},
		"two lines":  {analytics.Config{RegulatoryURL: "https://api.example.com", RegulatoryTimeout: time.Second, RegulatoryContact: "a\nb"}, "ANALYTICS_REGULATORY_CONTACT"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := test.config.Validate()
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, test.want)
		})
	}
}
