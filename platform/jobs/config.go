package jobs

import (
	"fmt"
	"net"
	"time"
)

// Config configures a worker. The prefix of its settings is JOBS_. Zero values mean the defaults.
type Config struct {
	// Concurrency is the number of jobs that a worker runs at the same time.
	Concurrency int `env:"CONCURRENCY" envDefault:"10" min:"1" max:"1000"`
	// DrainTimeout is how long a stopping worker waits for running jobs. Jobs that are not finished by then go back to the queue.
	DrainTimeout time.Duration `env:"DRAIN_TIMEOUT" envDefault:"20s" min:"1ms"`
	// RelayInterval is how often the relay checks the outbox when it receives no notification.
	RelayInterval time.Duration `env:"RELAY_INTERVAL" envDefault:"5s" min:"1ms"`
	// PollInterval is how often an idle worker checks the queue for jobs.
	PollInterval time.Duration `env:"POLL_INTERVAL" envDefault:"250ms" min:"1ms"`
	// MetricsAddr is the HOST:PORT where a worker serves /metrics to Prometheus, and /ready: 200, or 503 while jobs cannot run. :PORT listens on this machine only. Empty = no metrics.
	MetricsAddr string `env:"METRICS_ADDR"`
}

func (c Config) withDefaults() Config {
	if c.Concurrency == 0 {
		c.Concurrency = 10
	}
	if c.DrainTimeout == 0 {
		c.DrainTimeout = 20 * time.Second
	}
	if c.RelayInterval == 0 {
		c.RelayInterval = 5 * time.Second
	}
	if c.PollInterval == 0 {
		c.PollInterval = 250 * time.Millisecond
	}
	return c
}

// Validate checks what the types and their bounds cannot.
func (c Config) Validate() error {
	if c.MetricsAddr != "" {
		if _, port, err := net.SplitHostPort(c.MetricsAddr); err != nil || port == "" {
			return fmt.Errorf("JOBS_METRICS_ADDR: %q is not HOST:PORT, such as 127.0.0.1:9100", c.MetricsAddr)
		}
	}
	return nil
}
