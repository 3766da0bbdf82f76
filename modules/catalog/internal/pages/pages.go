// Package pages is the pages for people about managers, funds and filings. Each shows what the operations of the API return, and has
// no knowledge of its own.
package pages

import (
	"embed"
	"net/http"
	"slices"

	"gpatlas/platform/console"
	"gpatlas/platform/module"
	templates "gpatlas/templates/console"
)

// The paths are those of the API without its version.
const (
	homePath    = "/"
	gpsPath     = "/gps"
	gpPath      = "/gps/{crd}"
	fundsPath   = "/funds"
	fundPath    = "/funds/{fund_id}"
	filingsPath = "/filings"
	filingPath  = "/gps/{crd}/filings/{accession}"
	mapPath     = "/map"
	statusPath  = "/status"
)

//go:embed *.html
var files embed.FS

var (
	homeBody    = templates.Parse(files, "home.html")
	gpsBody     = templates.Parse(files, "gps.html")
	gpBody      = templates.Parse(files, "gp.html")
	fundsBody   = templates.Parse(files, "funds.html")
	fundBody    = templates.Parse(files, "fund.html")
	filingsBody = templates.Parse(files, "filings.html")
	exportBody  = templates.Parse(files, "export.html")
	filingBody  = templates.Parse(files, "filing.html")
	mapBody     = templates.Parse(files, "map.html")
	statusBody  = templates.Parse(files, "status.html")
)

// Part is the pages and panels.
func Part() module.Part {
	return module.Part{
		Pages: append([]console.Page{
			{Method: http.MethodGet, Path: homePath, Load: home},
			{Method: http.MethodGet, Path: gpsPath, Nav: "Managers", Load: gps},
			{Method: http.MethodGet, Path: gpPath, Load: gp},
			{Method: http.MethodGet, Path: fundsPath, Nav: "Funds", Load: funds},
			{Method: http.MethodGet, Path: fundPath, Load: fund},
			{Method: http.MethodGet, Path: filingsPath, Nav: "Filings", Load: filings},
			{Method: http.MethodGet, Path: filingsPath + ".atom", Load: feed},
			{Method: http.MethodGet, Path: filingPath, Load: filing},
			{Method: http.MethodGet, Path: mapPath, Nav: "Map", Load: atlas},
			{Method: http.MethodGet, Path: statusPath, Load: status},
		}, slices.Concat(sold(), exports())...),
		Panels: append(panels(), exportLink(gpsPath, "gps"), exportLink(fundsPath, "funds")),
	}
}
