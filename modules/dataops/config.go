package dataops

import (
	"errors"
	"fmt"
	"strings"
)

// DefaultDownloadBytesMax is 4 GiB: the largest archive of the regulator has 0.7.
const DefaultDownloadBytesMax = 4 << 30

// Config holds the settings of data operations; their prefix is DATAOPS_.
type Config struct {
	// Contact is an e-mail address that downloads name to the servers they ask. sec.gov refuses callers without one.
	Contact string `env:"CONTACT"`
	// DownloadBytesMax is the most that one download may bring. 0 means DefaultDownloadBytesMax.
	DownloadBytesMax int64 `env:"DOWNLOAD_BYTES_MAX" envDefault:"4294967296"`
}

// Validate says everything that is wrong with the settings, each fault with the setting's name.
func (c Config) Validate() error {
	var faults []error
	if c.DownloadBytesMax < 0 {
		faults = append(faults, fmt.Errorf("DATAOPS_DOWNLOAD_BYTES_MAX: %d is negative", c.DownloadBytesMax))
	}
	if strings.ContainsAny(c.Contact, "\r\n") {
		faults = append(faults, errors.New("DATAOPS_CONTACT: must be one line"))
	}
	return errors.Join(faults...)
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
