package fold

import (
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
)

// Office returns an adviser's main office; its other fields are empty.
func Office(versions []AdviserVersion) (a Adviser) {
	NewestFirst(versions)
	a.foldOffice(versions, baseOf(versions), nil)
	return a
}

// FirmOf is what the grouping into organizations reads of the versions of one adviser, at least one: its name and website,
// and the newest whole form whose archive had the table of related persons; nil where there is none.
func FirmOf(versions []AdviserVersion) (firm derive.Firm, naming *Filing) {
	NewestFirst(versions)
	base := baseOf(versions)
	website, _ := first(base, func(v *AdviserVersion) *string { return v.Website })
	i := find(versions, func(v *AdviserVersion) bool {
		return v.DocSource == catalogapi.SourceADVArchive && !slices.Contains(v.Silent, catalogapi.TableAffiliates)
	})
	if i >= 0 {
		naming = &versions[i].Filing
	}
	return derive.Firm{Domain: derive.WebsiteDomain(value(website)), Stem: derive.NameStem(base[0].LegalName)}, naming
}
