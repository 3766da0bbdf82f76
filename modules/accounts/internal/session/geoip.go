package session

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"

	"github.com/oschwald/geoip2-golang"
)

// GeoIP is a Locator over a GeoIP file: MaxMind's City or Country database, or another in their format.
type GeoIP struct{ reader *geoip2.Reader }

// OpenGeoIP reads a file into memory. It is not mapped, so replacing the file at run time is harmless.
func OpenGeoIP(path string) (*GeoIP, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the file
	}
	reader, err := geoip2.FromBytes(content)
	if err != nil {
		return nil, fmt.Errorf("%s is not a GeoIP file: %w", path, err)
	}
	if _, err := reader.City(net.IPv4(127, 0, 0, 1)); errors.As(err, new(geoip2.InvalidMethodError)) {
		return nil, fmt.Errorf("%s is a %s database, which has no places; use one of cities or countries", path, reader.Metadata().DatabaseType)
	}
	return &GeoIP{reader}, nil
}

// Locate returns the city and the country's code, or the code alone where no city is known.
func (g *GeoIP) Locate(address netip.Addr) (string, bool) {
	record, err := g.reader.City(net.IP(address.AsSlice()))
	if err != nil || record.Country.IsoCode == "" {
		return "", false
	}
	if city := record.City.Names["en"]; city != "" {
		return city + ", " + record.Country.IsoCode, true
	}
	return record.Country.IsoCode, true
}
