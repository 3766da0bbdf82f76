package catalog

import (
	"fmt"
	"os"

	"github.com/robfig/cron/v3"
)

// DefaultRefreshCron is a quarter past four in the morning, UTC, when hardly anybody asks.
const DefaultRefreshCron = "15 4 * * *"

// Config holds the catalog's settings; their prefix is CATALOG_.
type Config struct {
	// RefreshCron sets when fields that depend on the current day are recomputed: a cron expression of five fields, UTC.
	// Empty means DefaultRefreshCron.
	RefreshCron string `env:"REFRESH_CRON" envDefault:"15 4 * * *"`

	// SnapshotDir is a folder that web processes share, for example a network file system. The first that loads a publication writes its rows
	// there, and processes that start later read them without asking the database. Empty means that each loads from the database.
	SnapshotDir string `env:"SNAPSHOT_DIR"`
}

// Validate returns an error that names the first invalid setting.
func (c Config) Validate() error {
	if _, err := cron.ParseStandard(c.refreshCron()); err != nil {
		return fmt.Errorf("CATALOG_REFRESH_CRON: %q is not a cron expression of five fields, such as %q", c.RefreshCron, DefaultRefreshCron)
	}
	if info, err := os.Stat(c.SnapshotDir); c.SnapshotDir != "" && (err != nil || !info.IsDir()) {
		return fmt.Errorf("CATALOG_SNAPSHOT_DIR: %q is not a folder", c.SnapshotDir)
	}
	return nil
}

func (c Config) refreshCron() string {
	if c.RefreshCron == "" {
		return DefaultRefreshCron
	}
	return c.RefreshCron
}
