package accounts

import (
	"errors"
	"fmt"
	"strings"

	"gpatlas/modules/accounts/internal/mailing"
	"gpatlas/modules/accounts/internal/token"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/clock"
)

// Config holds the settings of accounts; their prefix is ACCOUNTS_.
type Config struct {
	// JWTKeys are the secrets that sign access tokens: "kid:base64secret", separated by commas, each of 32 bytes or more
	// ("k1:$(openssl rand -base64 32)"). The first one signs; all of them verify. To replace a secret, put the new one first
	// and remove the old one after a day: tokens need the old one for fifteen minutes, and kept responses to an Idempotency-Key
	// for a day. Secrets of webhooks are encrypted again with the new one when a worker starts: restart the workers before you remove
	// the old one. gpatlas dev creates one automatically.
	JWTKeys string `env:"JWT_KEYS"`
	// Schools are the schools whose graduate students use the service free of charge, separated by semicolons, each
	// "slug|name|domain". The slug appears in paths and tier names. {year} in the domain is the graduation year.
	Schools string `env:"SCHOOLS" envDefault:"bschool|Business School|mba{year}.bschool.edu"`
	// HashesAtOnce is the number of passwords hashed at the same time, each with 19 MiB of memory. 0 means twice the number of processors.
	HashesAtOnce int `env:"HASHES_AT_ONCE" envDefault:"0" min:"0" max:"1000"`
	// PublicAppURL is the public URL of the pages of the web process: "https://atlas.example". Links in emails begin with it (/verify-email,
	// /reset-password, /forgot-password, /recover-account, /login, /plans). With https, the session cookie of a browser is Secure.
	PublicAppURL string `env:"PUBLIC_APP_URL" envDefault:"http://127.0.0.1:8080"`
	// GeoIPFile is a GeoIP database of cities or countries (MaxMind's format, .mmdb). The list of sessions then shows where
	// each was opened. It is read at the start. Empty = no places.
	GeoIPFile string `env:"GEOIP_FILE"`
}

// Validate returns all faults of the settings, each with the setting's name.
func (c Config) Validate() error {
	var faults []error
	if strings.TrimSpace(c.JWTKeys) == "" {
		faults = append(faults, errors.New("ACCOUNTS_JWT_KEYS: is not set; create a key with: echo \"k1:$(openssl rand -base64 32)\""))
	}
	if _, err := token.ParseKeys(c.JWTKeys); err != nil {
		faults = append(faults, fmt.Errorf("ACCOUNTS_JWT_KEYS: %s", oneLine(err)))
	}
	if _, err := user.ParseSchools(c.Schools); err != nil {
		faults = append(faults, fmt.Errorf("ACCOUNTS_SCHOOLS: %s", oneLine(err)))
	}
	if _, err := mailing.ParsePages(c.PublicAppURL); err != nil {
		faults = append(faults, fmt.Errorf("ACCOUNTS_PUBLIC_APP_URL: %w", err))
	}
	return errors.Join(faults...)
}

// Keyring is the ring of signing keys; empty in processes that were started without keys.
func (c Config) Keyring() (token.Keyring, error) { return token.ParseKeys(c.JWTKeys) }

// Secrets are server secrets for another purpose, derived from the signing keys: use the first; the others belong to keys that
// are being replaced. Without signing keys the result is empty.
func (c Config) Secrets(purpose string) ([][]byte, error) {
	ring, err := c.Keyring()
	if err != nil {
		return nil, err
	}
	return ring.Derive(purpose)
}

// SchoolList is the schools of the program.
func (c Config) SchoolList() (user.Schools, error) { return user.ParseSchools(c.Schools) }

// GenerateKeys makes a value of ACCOUNTS_JWT_KEYS: one new random key.
func GenerateKeys(clk clock.Clock) string { return token.GenerateKeys(clk.Now()) }

func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }
