package dataops

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"gpatlas/modules/dataops/internal/fetch"
	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/modules/dataops/internal/ingest"
	"gpatlas/modules/dataops/internal/quality"
	"gpatlas/modules/dataops/internal/source"
)

// DefaultDownloadBytesMax is 4 GiB: the largest archive of the regulator has 0.7.
const DefaultDownloadBytesMax = 4 << 30

// Config holds the settings of data operations; their prefix is DATAOPS_.
type Config struct {
	// Contact is an email address sent with each download request. sec.gov rejects requests without one.
	Contact string `env:"CONTACT"`
	// DownloadBytesMax is the maximum size of one download in bytes. 0 means 4294967296 (4 GiB).
	DownloadBytesMax int64 `env:"DOWNLOAD_BYTES_MAX" envDefault:"4294967296" min:"0"`
	// DownloadDir is the folder for downloads until they are loaded, so that an interrupted download can resume. Empty means, for
	// the command line, "downloads" in the data folder of gpatlas dev, or else in the user's cache. Workers without it do
	// not resume across restarts.
	DownloadDir string `env:"DOWNLOAD_DIR"`
	// SourcesFile is a JSON file that changes the built-in sources or adds others; see docs/data-sources.md. Empty means none.
	SourcesFile string `env:"SOURCES_FILE"`
	// SourcesBaseURL replaces the host of every source with a mirror that has the same paths.
	SourcesBaseURL string `env:"SOURCES_BASE_URL"`
	// Schedule is "on" for workers that fetch the sources on their schedules. It is off by default: a first start should
	// neither download gigabytes nor call the SEC's servers without a contact.
	Schedule string `env:"SCHEDULE" envDefault:"off"`
	// QualityThresholds change the thresholds above which metrics of quality raise alerts, as "aum_jumps=0.01,null_share=off"; see
	// docs/operating.md. Empty means the defaults.
	QualityThresholds string `env:"QUALITY_THRESHOLDS"`
	// PersonStaleAfter is how old the last enrichment of a person's managers may be. People are listed as stale from then on.
	PersonStaleAfter time.Duration `env:"PERSON_STALE_AFTER" envDefault:"4320h" min:"1h"`
	// BoardStaleAfter is how old the last successful reading of a job board may be. Boards are listed as stale from then on.
	BoardStaleAfter time.Duration `env:"BOARD_STALE_AFTER" envDefault:"168h" min:"1h"`
}

// Validate says everything that is wrong with the settings, each fault with the setting's name.
func (c Config) Validate() error {
	var faults []error
	switch {
	case strings.ContainsAny(c.Contact, "\r\n"):
		faults = append(faults, errors.New("DATAOPS_CONTACT: must be one line: set it to an email address or a URL"))
	case c.Contact != "" && !strings.Contains(c.Contact, "@") && !strings.Contains(c.Contact, "://"):
		// Names may be beside it, as sec.gov asks: "Larkspur Capital ops@larkspur.example".
		faults = append(faults, errors.New("DATAOPS_CONTACT: has no email address or URL: set it to one"))
	}
	for _, part := range []struct{ setting, file, base string }{
		{"DATAOPS_SOURCES_FILE", c.SourcesFile, ""}, {"DATAOPS_SOURCES_BASE_URL", "", c.SourcesBaseURL},
	} {
		if _, err := source.Load(part.file, part.base); err != nil {
			faults = append(faults, fmt.Errorf("%s: %s", part.setting, strings.ReplaceAll(err.Error(), "\n", "; ")))
		}
	}
	if _, err := quality.Metrics(c.QualityThresholds); err != nil {
		faults = append(faults, fmt.Errorf("DATAOPS_QUALITY_THRESHOLDS: %w", err))
	}
	switch c.Schedule {
	case "", "off":
	case "on":
		list, _ := c.sources() // its faults are named above
		faults = append(faults, c.checkContact(list))
	default:
		faults = append(faults, fmt.Errorf("DATAOPS_SCHEDULE: %q is neither on nor off", c.Schedule))
	}
	return errors.Join(faults...)
}

// checkContact wants a contact where a scheduled source would be refused without one.
func (c Config) checkContact(list []source.Definition) error {
	if c.Contact != "" {
		return nil
	}
	for _, d := range list {
		for _, u := range d.URLs() {
			if d.IsEnabled() && d.Schedule != "" && fetch.NeedsContact(u) {
				return fmt.Errorf("DATAOPS_CONTACT: DATAOPS_SCHEDULE is on, and %s accepts only requests that name a contact (source %s): set it to an email address or a URL", u.Hostname(), d.Name)
			}
		}
	}
	return nil
}

// CheckRequest checks what an ingestion is asked for, before anything is fetched or started for it: sources and checks
// of the quality gate must be known, and neither sources nor the URLs among args (paths and URLs) may need a contact that the
// settings lack. The error joins all faults, each a UsageError.
func (c Config) CheckRequest(names, args, accept []string) error {
	list, err := c.sources()
	if err != nil {
		return err
	}
	_, err = checks(accept)
	faults := []error{err}
	var urls []*url.URL
	for _, name := range names {
		d, err := source.Find(list, name)
		if err != nil {
			faults = append(faults, UsageError{err})
			continue
		}
		urls = append(urls, d.URLs()...)
	}
	for _, arg := range args {
		switch u, err := ingest.ParseURL(arg); {
		case err != nil:
			faults = append(faults, UsageError{err})
		case u != nil:
			urls = append(urls, u)
		}
	}
	for _, u := range urls {
		if c.Contact == "" && fetch.NeedsContact(u) {
			faults = append(faults, UsageError{fetch.ContactError(u)})
			break
		}
	}
	return errors.Join(faults...)
}

// checks parses names of checks of the quality gate. The error joins a UsageError for each unknown name.
func checks(names []string) (known []gate.Check, err error) {
	for _, name := range names {
		check, fault := gate.ParseCheck(name)
		if fault != nil {
			err = errors.Join(err, UsageError{fault})
		}
		known = append(known, check)
	}
	return known, err
}

// sources returns the configured sources.
func (c Config) sources() ([]source.Definition, error) {
	return source.Load(c.SourcesFile, c.SourcesBaseURL)
}

func (c Config) downloadBytesMax() int64 {
	if c.DownloadBytesMax == 0 {
		return DefaultDownloadBytesMax
	}
	return c.DownloadBytesMax
}

// userAgent is how downloads introduce themselves.
func (c Config) userAgent() string {
	if c.Contact == "" {
		return "GP Atlas"
	}
	return "GP Atlas " + c.Contact
}
