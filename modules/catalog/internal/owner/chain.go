package owner

import (
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/text"
)

// link is in which row the owner of a row of Schedule B has its share.
type link struct {
	row  int  // its index; -1 if there is none
	sure bool // no other row can be meant
}

// linksOf finds the entities of Schedule B by their names. A direct owner is preferred to an indirect one.
func linksOf(rows []filed) []link {
	named := map[string][]int{}
	for i, f := range rows {
		key := f.Schedule + keyOf(f.Name)
		named[key] = append(named[key], i)
	}
	links := make([]link, len(rows))
	for i, f := range rows {
		links[i].row = -1
		key := keyOf(catalogapi.TextOf(f.OwnedEntity))
		if f.Schedule != "B" || key == "" {
			continue
		}
		found := named["A"+key]
		if len(found) == 0 {
			found = named["B"+key]
		}
		if len(found) > 0 {
			links[i] = link{found[0], len(found) == 1}
		}
	}
	return links
}

func keyOf(name string) string { return strings.Join(text.Words(name), " ") }

// effective is the share of a row's owner in the manager, if it is known.
func effective(rows []filed, links []link, i int) (share span, known bool) {
	share = span{100, 100}
	for range rows { // a chain that is longer is a loop
		part, ok := codes[catalogapi.TextOf(rows[i].OwnershipCode)]
		if !ok {
			return span{}, false
		}
		share = span{share[0] * part[0] / 100, share[1] * part[1] / 100}
		if rows[i].Schedule == "A" {
			return share, true
		}
		if !links[i].sure {
			return span{}, false
		}
		i = links[i].row
	}
	return span{}, false
}
