package sample

import (
	"slices"
	"strconv"
	"strings"
	"sync"
)

// legalNames are those under which each adviser of the small sample has ever filed, by CRD number.
var legalNames = sync.OnceValue(func() map[string][]string {
	s, err := scaleNamed(Small)
	if err != nil {
		return nil
	}
	known := make(map[string][]string, s.advisers)
	for _, a := range draft(DefaultSeed, s).advisers {
		crd := strconv.Itoa(a.crd)
		for _, n := range a.names {
			known[crd] = append(known[crd], n.legal)
		}
	}
	return known
})

// Has reports whether the small sample of the default seed has the adviser: both the CRD number and a legal name must be its own.
func Has(crd, legalName string) bool {
	return slices.ContainsFunc(legalNames()[crd], func(n string) bool { return strings.EqualFold(n, strings.TrimSpace(legalName)) })
}
