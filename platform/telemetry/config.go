package telemetry

import (
	"errors"
	"net/url"
)

// Config is where traces are sent. The names are OpenTelemetry's own; the prefix is OTEL_.
type Config struct {
	Endpoint    string  `env:"EXPORTER_OTLP_ENDPOINT"`                               // URL of the collector, "http://collector:4318"; empty = no traces
	ServiceName string  `env:"SERVICE_NAME" envDefault:"gpatlas"`                    // resource attribute service.name
	SampleRatio float64 `env:"TRACES_SAMPLER_ARG" envDefault:"0.01" min:"0" max:"1"` // share of requests traced if there is no sampled parent, 0 to 1
}

// Validate checks what the types cannot.
func (c Config) Validate() error {
	if c.Endpoint == "" {
		return nil
	}
	u, err := url.Parse(c.Endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("OTEL_EXPORTER_OTLP_ENDPOINT: is not an http or https URL such as http://collector:4318") // not repeated: it may hold a password
	}
	return nil
}
