package sample

import (
	"slices"
	"strconv"
	"strings"
)

// columns expands a list of column names, in which "5B1..6" stands for 5B1 to 5B6 and "5D1a..n" for 5D1a to 5D1n.
func columns(list ...string) []string {
	var out []string
	for _, names := range list {
		for name := range strings.SplitSeq(names, ",") {
			from, to, isRange := strings.Cut(name, "..")
			if !isRange {
				out = append(out, name)
				continue
			}
			cut := strings.LastIndexFunc(from, func(r rune) bool { return r < '0' || r > '9' }) + 1
			if last, err := strconv.Atoi(to); err == nil {
				first, _ := strconv.Atoi(from[cut:])
				for n := first; n <= last; n++ {
					out = append(out, from[:cut]+strconv.Itoa(n))
				}
				continue
			}
			for c := from[len(from)-1]; c <= to[0]; c++ {
				out = append(out, from[:len(from)-1]+string(rune(c)))
			}
		}
	}
	return out
}

// The headers, in the regulator's order. The items between the ones that are read are there for the width of the
// real files.
var (
	// item1 begins both base tables.
	item1 = columns("FilingID,FormVersion,DateSubmitted,1A,1B1,1C-Legal,1C-Business,1C-New Name,1D,1E1",
		"1F1-Street 1,1F1-Street 2,1F1-City,1F1-State,1F1-Country,1F1-Postal,1F1-Private,1F2-M-F,1F2-Other,1F2-Hours,1F3,1F4,1F5",
		"1G-Street 1,1G-Street 2,1G-City,1G-State,1G-Country,1G-Postal,1G-Private,1I,1L,1M,1N,1N-CIK,1O,1O-Assets,1P")
	items6to7 = columns("6A1..14,6A14-Other,6B1..3,6B2-Description,6B3-Description,7A1..16,7B")
	items10to = columns("10A,11,11A1..2,11B1..2,11C1..5,11D1..5,11E1..4,11F,11G,11H1a..c,11H2")

	headerBaseA = slices.Concat(item1,
		columns("5A,5B1..6,5C1..2,5D1a..n,5D1n-Other,5D2a..n,5D3a..n,5E1..7,5E7-Other,5F1,5F2a..f,5F3,5G1..12,5G12-Other,5H,5H-Number",
			"5I1,5I2a..c,5J1..2,5K1..4,5L1a..e,5L2..4"),
		items6to7,
		columns("8A1..3,8B1..3,8C1..4,8D,8E,8F,8G1..2,8H1..2,8I,9A1a..b,9A2a..b,9B1a..b,9B2a..b,9C1..4,9D1..2,9E,9F"),
		items10to, columns("12A,12B1..2,12C1..2,Signatory,Title"))
	headerBaseB = columns("FilingID,2A1..2,2A4..13", "2-"+strings.Join(strings.Fields(`AL,2-AK,2-AZ,2-AR,2-CA,2-CO,2-CT,2-DE,2-DC,2-FL,2-GA,
		2-GU,2-HI,2-ID,2-IL,2-IN,2-IA,2-KS,2-KY,2-LA,2-ME,2-MD,2-MA,2-MI,2-MN,2-MS,2-MO,2-MT,2-NE,2-NV,2-NH,2-NJ,2-NM,2-NY,2-NC,2-ND,
		2-OH,2-OK,2-OR,2-PA,2-PR,2-RI,2-SC,2-SD,2-TN,2-TX,2-UT,2-VT,2-VI,2-VA,2-WA,2-WV,2-WI`), ""),
		"3A,3A-Other,3B,3C-State,3C-Country")
	headerERA = slices.Concat(item1, columns("2B1..3,3A,3A-Other,3B,3C-State,3C-Country"), items6to7, items10to, columns("Signatory,Title"))

	headerFunds = columns("FilingID,Fund Name,Fund ID,ReferenceID,State,Country,3(c)(1) Exclusion,3(c)(7) Exclusion,Master Fund,Feeder Fund",
		"Master Fund Name,Master Fund ID,Fund of Funds,Fund Invested Self or Related,Fund Invested in Securities,Fund Type,Fund Type Other",
		"Gross Asset Value,Minimum Investment,Owners,%Owned You or Related,%Owned Funds,Sales Limited,%Owned Non-US,Subadviser",
		"Other IAs Advise,Clients Solicited,Percentage Invested,Exempt from Registration,Annual Audit,GAAP,FS Distributed",
		"Unqualified Opinion,Prime Brokers,Custodians,Administrator,% Assets Valued,Marketing")
	headerAuditors = columns("FilingID,ReferenceID,Name of Auditing Firm,City,State,Country,Independent,PCAOB Registered,PCAOB Number,PCAOB Inspected")
	headerFormD    = columns("FilingID,ReferenceID,Form D File Number")
	headerSites    = columns("FilingID,Website")
	headerTypes    = columns("FilingID,Initial Application,Initial Report,Annual Updating Amendment,Annual Updating Amendment Fiscal Year",
		"Other-Than-Annual Amendment,Final Report")
)

// olderSpelling is how the archives of the years before 2025 spell some columns.
var olderSpelling = map[string]string{
	"FilingID": "Filing ID", "ReferenceID": "Reference ID", "1B1": "1B", "1E1": "1E", "5F2c": "5F2C",
	"OwnerID": "Owner ID", "SubreferenceID": "Subreference ID",
}

// tableKind numbers an archive's tables, in the order of its members.
type tableKind int

const (
	filingTypes tableKind = iota
	iaBaseA
	iaBaseB
	iaSites
	iaFunds
	iaFormD
	iaAuditors
	eraBase
	eraSites
	eraFunds
	eraFormD
	eraAuditors

	// From here on the two regimes' tables follow each other: that of the exempt advisers is the next.
	iaOwners
	eraOwners
	iaOffices
	eraOffices
	iaCIKs
	eraCIKs
	iaCRDs
	eraCRDs
	iaAffiliates
	eraAffiliates
	iaSubAdvised
	eraSubAdvised
	iaPartners
	eraPartners
	iaFeeders
	eraFeeders
	iaFeederDetails
	eraFeederDetails
	iaPrimeBrokers
	eraPrimeBrokers
	iaCustodians
	eraCustodians
	iaAdministrators
	eraAdministrators
	iaMarketers
	eraMarketers
	iaMarketerSites
	eraMarketerSites
	iaCriminal
	eraCriminal
	iaRegulatory
	eraRegulatory
	iaCivil
	eraCivil
	iaImplicated
	eraImplicated
	tables
)

// of is the twin of a table of registered advisers for a filing's regime.
func (t tableKind) of(registered bool) tableKind {
	if registered {
		return t
	}
	return t + 1
}

// layout is a table's name and header.
type layout struct {
	name   string
	header []string
}

// layouts are the tables' names and headers.
var layouts = func() [tables]layout {
	list := [tables]layout{
		filingTypes: {"ADV_Filing_Types", headerTypes},
		iaBaseA:     {"IA_ADV_Base_A", headerBaseA},
		iaBaseB:     {"IA_ADV_Base_B", headerBaseB},
		iaSites:     {"IA_Schedule_D_1I", headerSites},
		iaFunds:     {"IA_Schedule_D_7B1", headerFunds},
		iaFormD:     {"IA_Schedule_D_7B1A22", headerFormD},
		iaAuditors:  {"IA_Schedule_D_7B1A23", headerAuditors},
		eraBase:     {"ERA_ADV_Base", headerERA},
		eraSites:    {"ERA_Schedule_D_1I", headerSites},
		eraFunds:    {"ERA_Schedule_D_7B1", headerFunds},
		eraFormD:    {"ERA_Schedule_D_7B1A22", headerFormD},
		eraAuditors: {"ERA_Schedule_D_7B1A23", headerAuditors},
	}
	for i, l := range twins {
		list[iaOwners+tableKind(2*i)] = layout{"IA_" + l.name, l.header}
		list[iaOwners+tableKind(2*i+1)] = layout{"ERA_" + l.name, l.header}
	}
	return list
}()
