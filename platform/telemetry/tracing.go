package telemetry

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// Tracing starts spans. Without an endpoint it does nothing, at the cost of a comparison.
type Tracing struct {
	enabled  bool
	tracer   trace.Tracer
	provider *sdktrace.TracerProvider
}

const tracerName = "gpatlas"

// NoTracing starts no spans.
func NoTracing() *Tracing {
	return &Tracing{tracer: noop.NewTracerProvider().Tracer(tracerName)}
}

// NewTracing sets up the exporter that cfg names; it connects when there is something to send. version is the build.
func NewTracing(ctx context.Context, cfg Config, version string) (*Tracing, error) {
	if cfg.Endpoint == "" {
		return NoTracing(), nil
	}
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	endpoint := strings.TrimSuffix(cfg.Endpoint, "/")
	if !strings.HasSuffix(endpoint, "/v1/traces") {
		endpoint += "/v1/traces"
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(endpoint))
	if err != nil {
		return nil, fmt.Errorf("telemetry: set up the trace exporter: %w", err)
	}
	return newTracing(cfg, version, sdktrace.NewBatchSpanProcessor(exporter)), nil
}

func newTracing(cfg Config, version string, processor sdktrace.SpanProcessor) *Tracing {
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithSpanProcessor(processor),
		sdktrace.WithSampler(sdktrace.ParentBased(sdktrace.TraceIDRatioBased(cfg.SampleRatio))),
		sdktrace.WithResource(resource.NewSchemaless(
			attribute.String("service.name", cfg.ServiceName), attribute.String("service.version", version))),
	)
	return &Tracing{enabled: true, tracer: provider.Tracer(tracerName), provider: provider}
}

// Enabled reports whether spans are exported: hot paths check it before they prepare attributes.
func (t *Tracing) Enabled() bool { return t.enabled }

// Start opens a span under the context's own.
func (t *Tracing) Start(ctx context.Context, name string, options ...trace.SpanStartOption) (context.Context, trace.Span) {
	return t.tracer.Start(ctx, name, options...)
}

// Extract continues the trace of the caller's headers (W3C traceparent).
func (t *Tracing) Extract(ctx context.Context, header func(name string) string) context.Context {
	return propagation.TraceContext{}.Extract(ctx, carrier(header))
}

// Stop sends what is left.
func (t *Tracing) Stop(ctx context.Context) error {
	if t.provider == nil {
		return nil
	}
	if err := t.provider.Shutdown(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("telemetry: send the last traces: %w", err)
	}
	return nil
}

// carrier reads headers for the propagator, which never writes them here.
type carrier func(name string) string

// Get reads one header.
func (c carrier) Get(name string) string { return c(name) }

// Set does nothing: nothing is injected.
func (carrier) Set(string, string) {}

// Keys names the headers that matter.
func (carrier) Keys() []string { return []string{"traceparent", "tracestate"} }
