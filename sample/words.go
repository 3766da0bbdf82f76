package sample

import (
	"strings"
)

// A firm's name begins with a stem that exists nowhere else: an invented onset and an ending, every third with
// nothing more, the others with a neutral second word.
var (
	onsets = strings.Fields(`Quess Torrin Vael Kestrav Ombrel Zephan Drusk Halvor Merrow Tivan Askel Brindo Corvath Delphan
		Ervand Fenwar Galdor Hesper Istra Jorvan Kelmar Lorvik Mandrel Nethra Orvant Pelham Quorin Rastel Silvane Thalor
		Ulvern Vandrel Wexlan Yestar Zorvan Aldrin Belfar Crandol Dorvane Elspar Farrow Gremal Holvane Ildran Jastel Kordan
		Lumbar Morvane Nordal Ostrel Pravan Quillon Rovane Sarnel Tremval Umbran Verdal Wolvar Xandrel Yarvan Zeldar Arvand
		Bastrel Calvorn Dunval Estrav Folvane Garvand Hindral Ivorn Jeldar Kravel Lendor Mistral Navorn Oldrav Pendral Quarvel
		Ristan Solvar Tandrel Urvand Valdrin Westral Xorvan Yldran Zandor Amberv Bravorn Celdar Drovan Eldrav Frostan Grindal
		Haldrav Imbrel Jundar Kindrav Larvend Melvorn Nandrel Ondrav Porvand Quendal Rundrav Selvorn Tuldar Undrel Vorland
		Windrav Xeldrin Yondar Zindral Astrovar Borendal Candravel Duskorn Embervan Falstrand Gorvenda Haskerel Inverdan
		Jolstrav Kandover Lisvane Montrave Northvand Oxendral Pallavorn Quintrav Rockvand Stellorn Trivandel Ulstrave
		Vintervan Wardenel Xanthor Yorvendal`)
	foreignOnsets = strings.Fields(`Véral Königsta Älvdra Bårdo Çelvan Düsterv Élorn Førsta Grändal Håvar Îlstra Jærvon Künzel
		Løvstra Märvan Nördra Örvald Pérovan Råvald Sévran Tåndra Ümbrel Vårdal Würmval Zürstra Ñandor Açorva Joãvel`)
	endings = strings.Fields(`mere wick holt gate strand moor fell combe thorpe bourne stead croft haven reach brae ford
		garth lund mark ness rigg scar tarn vale wold yard beck crest dell edge firth glade heath isle knoll leigh mead
		nook pike quay ridge shaw toft view ward well worth by den ham hurst keld law lyn march more over port rath row
		side stone ton tor water weir`)
	seconds = strings.Fields(`Lantern Meridian Harbour Compass Anchor Beacon Cobalt Juniper Cedar Falcon Granite Heron
		Indigo Kestrel Larch Marble Nimbus Onyx Pewter Quartz Rowan Saffron Thistle Umber Vellum Willow Yarrow Zephyr Alder
		Basalt Copper Dune Ember Flint Gale Hollow Islet Jade Kelp Linden`)
)

// places are spread over a space of n by a step that has no common factor with it, so that no two are the same.
func spread(i, n, step uint64) uint64 { return (i%n*step + step/3) % n }

// stemOf is the i-th invented stem. No two numbers below half a million share one.
func stemOf(i int, foreign bool) string {
	heads := onsets
	if foreign {
		heads = foreignOnsets
	}
	h, e, s := len(heads), len(endings), len(seconds)
	if i%3 == 0 && i/3 < h*e {
		at := int(spread(uint64(i/3), uint64(h*e), 4793)) // #nosec G115 -- small and positive
		return heads[at%h] + endings[at/h]
	}
	at := int(spread(uint64(i), uint64(h*e*s), 179426549)) // #nosec G115 -- small and positive
	return heads[at%h] + endings[at/h%e] + " " + seconds[at/h/e]
}

var plainLetters = strings.NewReplacer("é", "e", "ö", "o", "ä", "a", "å", "a", "ç", "c", "ü", "u", "ø", "o", "î", "i",
	"æ", "ae", "ñ", "n", "ã", "a", " ", "")

// domainOf is the domain that belongs to a stem.
func domainOf(stem string) string { return plainLetters.Replace(strings.ToLower(stem)) + ".example" }

var romans = []struct {
	value int
	sign  string
}{{50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}}

func roman(n int) string {
	var b strings.Builder
	for _, r := range romans {
		for ; n >= r.value; n -= r.value {
			b.WriteString(r.sign)
		}
	}
	return b.String()
}

// businessWords follow the stem in a firm's name, by what it mostly invests in.
var businessWords = [strategies][]string{
	buyout:         {"Capital Partners", "Equity Partners", "Partners", "Private Equity", "Industrial Partners"},
	growth:         {"Growth Partners", "Growth Equity", "Growth Capital", "Capital"},
	venture:        {"Ventures", "Venture Partners", "Venture Capital", "Seed Partners", "Labs Ventures"},
	realEstate:     {"Real Estate Partners", "Property Advisors", "Realty Capital", "Real Estate Investors"},
	infrastructure: {"Infrastructure Partners", "Infrastructure Capital", "Energy Partners"},
	credit:         {"Credit Advisors", "Credit Partners", "Private Credit", "Lending Partners"},
	hedge:          {"Capital Management", "Asset Management", "Investment Management", "Advisors", "Capital"},
	secondaries:    {"Secondary Partners", "Secondaries", "Capital Partners"},
	fundOfFunds:    {"Private Markets", "Fund Advisors", "Multi-Manager Advisors"},
	liquidity:      {"Cash Management", "Treasury Advisors"},
	securitized:    {"Structured Credit", "CLO Management"},
	other:          {"Alternative Advisors", "Royalty Partners", "Specialty Finance", "Timberland Advisors"},
	wealth:         {"Wealth Management", "Financial Advisors", "Wealth Partners", "Investment Counsel", "Family Office"},
}

// lines are the product lines that a manager's fund families carry in their names.
var lines = [strategies][]string{
	buyout: {
		"Capital Partners", "Equity Partners", "Buyout Partners", "Industrial Partners", "Middle Market Buyout",
		"Strategic Opportunities", "Lower Middle Market", "Healthcare Partners",
	},
	growth:  {"Growth", "Growth Equity", "Technology Growth", "Late Stage Growth", "Consumer Growth"},
	venture: {"Ventures", "Venture Partners", "Seed", "Early Stage", "Opportunity", "Life Sciences", "Frontier"},
	realEstate: {
		"Real Estate Partners", "Property", "Realty Income", "Multifamily", "Logistics Real Estate", "Core Plus Property",
		"Hospitality Real Estate",
	},
	infrastructure: {"Infrastructure", "Energy Infrastructure", "Digital Infrastructure", "Renewable Infrastructure"},
	credit:         {"Credit Opportunities", "Direct Lending", "Senior Credit", "Mezzanine", "Private Credit", "Distressed Credit", "Specialty Credit"},
	hedge: {
		"Global Macro", "Long/Short Equity", "Multi-Strategy", "Event Driven", "Quantitative", "Relative Value",
		"Emerging Markets", "Absolute Return", "Convertible Arbitrage",
	},
	secondaries: {"Secondary Opportunities", "Secondaries", "Secondary Partners"},
	fundOfFunds: {"Fund of Funds", "Private Equity Access", "Multi-Manager", "Partnership Investors"},
	liquidity:   {"Liquidity", "Cash Reserve", "Short Duration Liquidity"},
	securitized: {"CLO", "Structured Products", "Receivables"},
	other:       {"Royalty", "Commodity", "Digital Assets", "Litigation Finance", "Timberland", "Insurance-Linked"},
	wealth:      {"Partners"},
}

var regions = []string{"", "Europe", "Asia", "Global", "North America", "Latin America", "Select", "Premier", "Horizon", "Nordic", "Pacific", "Access"}
