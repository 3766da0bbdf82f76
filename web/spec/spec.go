// Package spec is the contract's table of endpoints, and that of the operations beyond it.
package spec

import (
	"cmp"
	_ "embed" // the tables
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gpatlas/platform/httpapi"
)

//go:embed endpoints.tsv
var endpoints string

//go:embed beyond.tsv
var beyond string

// Row is one endpoint of the contract.
type Row struct {
	Method       string
	Path         string
	Access       httpapi.Access
	ChargeMicros int64  // micro-dollars, 0 = free
	Per          string // "request" or "person"; empty when free
	Module       string
}

func (r Row) address() string { return r.Method + " " + r.Path }

// Endpoints is the whole contract.
func Endpoints() ([]Row, error) { return ParseEndpoints(endpoints) }

// Beyond is the operations that we offer beyond the contract, in a table of the same kind.
func Beyond() ([]Row, error) { return ParseEndpoints(beyond) }

// ParseEndpoints reads a table of endpoints: method, path, access, charge_usd, per and module, separated by tabs,
// under a heading.
func ParseEndpoints(table string) ([]Row, error) {
	var rows []Row
	var errs []error
	seen := map[string]bool{}
	for i, line := range strings.Split(strings.TrimRight(table, "\n"), "\n") {
		cells := strings.Split(strings.TrimRight(line, "\r"), "\t")
		if i == 0 {
			if line != "method\tpath\taccess\tcharge_usd\tper\tmodule" {
				return nil, fmt.Errorf("line 1: unknown heading %q", line)
			}
			continue
		}
		row, err := parseRow(cells)
		if err == nil && seen[row.address()] {
			err = fmt.Errorf("%s is listed twice", row.address())
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("line %d: %w", i+1, err))
			continue
		}
		seen[row.address()] = true
		rows = append(rows, row)
	}
	return rows, errors.Join(errs...)
}

func parseRow(cells []string) (Row, error) {
	if len(cells) != 6 {
		return Row{}, fmt.Errorf("%d cells instead of 6", len(cells))
	}
	row := Row{Method: cells[0], Path: cells[1], Access: httpapi.Access(cells[2]), Module: cells[5]}
	if !slices.Contains([]httpapi.Access{httpapi.Public, httpapi.Key, httpapi.Login, httpapi.Admin, httpapi.Signature}, row.Access) {
		return Row{}, fmt.Errorf("unknown access %q", cells[2])
	}
	dollars, err := strconv.ParseFloat(cells[3], 64)
	if err != nil || dollars < 0 {
		return Row{}, fmt.Errorf("charge %q is no amount", cells[3])
	}
	row.ChargeMicros = int64(dollars*1e6 + 0.5)
	if cells[4] != "-" {
		row.Per = cells[4]
	}
	if (row.ChargeMicros > 0) != (row.Per != "") {
		return Row{}, fmt.Errorf("charge %s per %s", cells[3], cells[4])
	}
	return row, nil
}

// Check compares the registered operations with the contract. Every row must be built, and every operation must be a row, with its
// access and price.
func Check(rows []Row, routes []httpapi.Route) []error {
	built := map[string]httpapi.Route{}
	for _, r := range routes {
		built[r.Operation.Method+" "+r.Operation.Path] = r
	}
	contract := map[string]bool{}
	var errs []error
	for _, row := range rows {
		address := row.address()
		contract[address] = true
		if route, ok := built[address]; ok {
			errs = append(errs, compare(row, route)...)
		} else {
			errs = append(errs, fmt.Errorf("%s is not built", address))
		}
	}
	for address := range built {
		if !contract[address] {
			errs = append(errs, fmt.Errorf("%s is built, but neither in endpoints.tsv nor in beyond.tsv", address))
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	return errs
}

func compare(row Row, route httpapi.Route) []error {
	var errs []error
	if row.Access != route.Access {
		errs = append(errs, fmt.Errorf("%s: access is %s, the contract says %s", row.address(), route.Access, row.Access))
	}
	if row.ChargeMicros != route.ChargeMicros || row.Per != route.Per {
		errs = append(errs, fmt.Errorf("%s: charges %d µ$ per %q, the contract says %d per %q",
			row.address(), route.ChargeMicros, route.Per, row.ChargeMicros, row.Per))
	}
	return errs
}
