package feed

import (
	"errors"
	"time"
)

// Config is the module's settings; they have no prefix.
type Config struct {
	// ChangesKeep is how long events stay in the log of changes: at least 360h (15 days). 0 keeps them for ever.
	ChangesKeep time.Duration `env:"CHANGES_KEEP" envDefault:"0"`
}

// Validate returns the fault of a setting that cannot be used.
func (c Config) Validate() error {
	const least = 15 * 24 * time.Hour
	if c.ChangesKeep != 0 && c.ChangesKeep < least {
		return errors.New("CHANGES_KEEP: must be 0 or at least 360h")
	}
	return nil
}
