package people

import (
	"fmt"
	"log/slog"
	"net/url"

	"gpatlas/modules/people/internal/enrichment/provider"
	"gpatlas/platform/clock"
	"gpatlas/sample"
)

// ForSample is the name of the provider for a service with the sample: its values are invented, and it knows only the people of
// the sample.
func ForSample() []string { return []string{providerInvented} }

// providers are the ones that the settings name, in their order.
func (c Config) providers(clk clock.Clock, log *slog.Logger) ([]provider.Provider, error) {
	var list []provider.Provider
	for _, name := range c.Providers {
		address := map[string]string{providerPDL: c.PDLURL, providerHunter: c.HunterURL, providerHTTP: c.HTTPURL}[name]
		base, err := url.Parse(address)
		if err != nil {
			return nil, fmt.Errorf("URL of provider %s: %w", name, err)
		}
		client := provider.NewClient(c.ProviderTimeout, clk, log)
		var p provider.Provider
		switch name {
		case providerPDL:
			p = provider.NewPDL(base, c.PDLAPIKey, c.PDLMinLikelihood, client)
		case providerHunter:
			p = provider.NewHunter(base, c.HunterAPIKey, client)
		case providerHTTP:
			p = provider.NewHTTP(c.HTTPName, base, c.HTTPAPIKey, client)
		case providerInvented:
			p = provider.NewInvented(sample.Has)
		default:
			return nil, fmt.Errorf("there is no provider %q", name)
		}
		list = append(list, provider.Guard(p, clk))
	}
	return list, nil
}
