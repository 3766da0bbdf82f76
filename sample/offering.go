package sample

import (
	"strconv"
	"strings"
)

func (w *noticeWriter) submission(it issuer, number string, n notice) {
	r := w.rows[submissions]
	r.begin(number)
	r.set("FILE_NUM", it.fileNumber)
	r.set("FILING_DATE", upperDate(n.on))
	r.set("SCHEMAVERSION", schemaVersion(n.on))
	r.set("SUBMISSIONTYPE", "D")
	if it.chainBefore {
		r.set("SUBMISSIONTYPE", "D/A")
	}
	r.set("TESTORLIVE", "LIVE")
	r.flag("OVER100PERSONSFLAG", false)
	r.flag("OVER100ISSUERFLAG", false)
	w.put(submissions)
}

// address fills in the columns that several tables have alike.
func (r *noticeRow) address(o officeSince) {
	if o.private {
		r.set("STREET1", "N/A")
		r.set("CITY", o.city.name)
	} else {
		r.set("STREET1", strings.ToUpper(inOneLine.Replace(o.street1)))
		r.set("STREET2", strings.ToUpper(o.street2))
		r.set("CITY", strings.ToUpper(o.city.name))
		r.set("ZIPCODE", o.postal)
	}
	if o.city.state != "" {
		r.set("STATEORCOUNTRY", o.city.state)
		r.set("STATEORCOUNTRYDESCRIPTION", strings.ToUpper(stateNames[o.city.state]))
	} else {
		r.set("STATEORCOUNTRY", countryCodes[o.city.country])
		r.set("STATEORCOUNTRYDESCRIPTION", strings.ToUpper(o.city.country))
	}
}

func (w *noticeWriter) issuer(it issuer, number string) {
	r := w.rows[issuers]
	put := func(seq int, primary, name string) {
		r.begin(number)
		r.set("IS_PRIMARYISSUER_FLAG", primary)
		r.set("ISSUER_SEQ_KEY", strconv.Itoa(seq))
		r.set("CIK", zeros(it.cik, 10))
		r.set("ENTITYNAME", name)
		r.address(it.place)
		r.set("ISSUERPHONENUMBER", it.place.phone)
		r.set("JURISDICTIONOFINC", strings.ToUpper(it.law.state))
		if it.law.state == "" {
			r.set("JURISDICTIONOFINC", strings.ToUpper(it.law.country))
		}
		r.set("ISSUER_PREVIOUSNAME_1", "None")
		r.set("EDGAR_PREVIOUSNAME_1", "None")
		r.set("ENTITYTYPE", entityType(name))
		r.set("YEAROFINC_TIMESPAN_CHOICE", "overFiveYears")
		if it.begun > w.quarter.to-5*365 {
			r.set("YEAROFINC_TIMESPAN_CHOICE", "withinFiveYears")
			r.set("YEAROFINC_VALUE_ENTERED", strconv.Itoa(it.begun.year()))
		}
		w.put(issuers)
	}
	put(1, "YES", it.name)
	if it.fund != nil && noise(it.key, 36, 0, 39) == 0 {
		it.cik += 20_000_000 // a co-issuer that is no fund of the catalog
		put(2, "NO", strings.TrimSuffix(it.name, ", L.P.")+" AIV, L.P.")
	}
}

func entityType(name string) string {
	switch upper := strings.ToUpper(name); {
	case strings.HasSuffix(upper, "LLC"):
		return "Limited Liability Company"
	case strings.HasSuffix(upper, "P."), strings.HasSuffix(upper, "LP"), strings.HasSuffix(upper, "SCSP"):
		return "Limited Partnership"
	case strings.HasSuffix(upper, "INC."), strings.HasSuffix(upper, "LTD."):
		return "Corporation"
	default:
		return "Other"
	}
}

// exemptions is the list of codes as one string; its separators vary.
func (it issuer) exemptions() string {
	list := []string{"06b"}
	switch f := it.fund; {
	case it.firstSale < since506 && !it.chainBefore:
		list[0] = "06"
	case noise(it.key, 37, 0, 99) < 14:
		list[0] = "06c"
	case f == nil && noise(it.key, 37, 0, 99) < 20:
		list[0] = "04"
	}
	if f := it.fund; f != nil {
		if noise(it.key, 38, 0, 3) > 0 {
			list = append(list, "3C") // the detail may come without it
		}
		if f.is3c1 {
			list = append(list, "3C.1")
		}
		if f.is3c7 {
			list = append(list, "3C.7")
		}
	}
	return strings.Join(list, []string{",", ",", ",", ", ", ";", " "}[noise(it.key, 39, 0, 5)])
}

// fundType is the answer to item 4 of the form.
func (it issuer) fundType() string {
	switch it.fund.kind {
	case "Hedge Fund", "Private Equity Fund", "Venture Capital Fund":
		return it.fund.kind
	default:
		return "Other Investment Fund"
	}
}

func (w *noticeWriter) offering(it issuer, number string, n notice) {
	r := w.rows[offerings]
	r.begin(number)
	r.set("INDUSTRYGROUPTYPE", it.industry)
	if it.fund != nil {
		r.set("INVESTMENTFUNDTYPE", it.fundType())
		r.flag("IS40ACT", false)
		r.set("AGGREGATENETASSETVALUERANGE", "Decline to Disclose")
	} else {
		r.set("REVENUERANGE", []string{"No Revenues", "$1 - $1,000,000", "Decline to Disclose"}[noise(it.key, 40, 0, 2)])
	}
	r.set("FEDERALEXEMPTIONS_ITEMS_LIST", it.exemptions())
	r.flag("ISAMENDMENT", it.chainBefore)
	r.set("PREVIOUSACCESSIONNUMBER", it.previous)
	yet := it.firstSale > n.on
	r.flag("YETTOOCCUR", yet)
	switch {
	case yet:
	case w.isoSale:
		r.set("SALE_DATE", iso(it.firstSale))
	default:
		r.set("SALE_DATE", upperDate(it.firstSale))
	}
	r.flag("MORETHANONEYEAR", it.fund != nil && noise(it.key, 41, 0, 9) < 6)
	for _, column := range []string{
		"ISDEBTTYPE", "ISOPTIONTOACQUIRETYPE", "ISSECURITYTOBEACQUIREDTYPE", "ISTENANTINCOMMONTYPE", "ISMINERALPROPERTYTYPE",
		"ISOTHERTYPE", "ISBUSINESSCOMBINATIONTRANS", "OVER100RECIPIENTFLAG", "SALESCOMM_ISESTIMATE", "FINDERSFEE_ISESTIMATE",
		"GROSSPROCEEDSUSED_ISESTIMATE",
	} {
		r.flag(column, false)
	}
	r.flag("ISEQUITYTYPE", it.fund == nil || noise(it.key, 42, 0, 9) < 4)
	r.flag("ISPOOLEDINVESTMENTFUNDTYPE", it.fund != nil)
	r.set("MINIMUMINVESTMENTACCEPTED", strconv.FormatInt(it.minimum, 10))
	w.amounts(r, it)
	r.flag("AUTHORIZEDREPRESENTATIVE", false)
	w.put(offerings)
}

func (w *noticeWriter) amounts(r *noticeRow, it issuer) {
	r.set("TOTALAMOUNTSOLD", strconv.FormatInt(it.sold, 10))
	if it.indefinite {
		r.set("TOTALOFFERINGAMOUNT", "Indefinite")
		r.set("TOTALREMAINING", "Indefinite")
	} else {
		r.set("TOTALOFFERINGAMOUNT", strconv.FormatInt(it.offered, 10))
		r.set("TOTALREMAINING", strconv.FormatInt(it.offered-it.sold, 10))
	}
	if noise(it.key, 43, 0, 19) == 0 {
		r.set("SALESAMTCLARIFICATIONOFRESP", `The general partner may raise the amount ("hard cap") at its discretion.`)
	}
	r.flag("HASNONACCREDITEDINVESTORS", noise(it.key, 44, 0, 39) == 0)
	if noise(it.key, 44, 0, 39) == 0 {
		r.set("NUMBERNONACCREDITEDINVESTORS", strconv.FormatInt(noise(it.key, 45, 1, 35), 10))
	}
	r.set("TOTALNUMBERALREADYINVESTED", strconv.FormatInt(it.investors, 10))
	commission := int64(0)
	if it.marketer >= 0 {
		commission = it.sold / 100
		r.flag("SALESCOMM_ISESTIMATE", true)
	}
	r.set("SALESCOMM_DOLLARAMOUNT", strconv.FormatInt(commission, 10))
	r.set("FINDERSFEE_DOLLARAMOUNT", "0")
	r.set("GROSSPROCEEDSUSED_DOLLARAMOUNT", "0")
	if noise(it.key, 46, 0, 9) == 0 {
		r.set("GROSSPROCEEDSUSED_CLAROFRESP", `The manager receives a "management fee" as the offering documents say.`)
	}
}

func (w *noticeWriter) recipient(it issuer, number string) {
	r, m := w.rows[recipients], marketers[it.marketer]
	r.begin(number)
	r.set("RECIPIENT_SEQ_KEY", "1")
	r.set("RECIPIENTNAME", m.name)
	r.set("RECIPIENTCRDNUMBER", strconv.Itoa(m.number))
	r.set("ASSOCIATEDBDNAME", "None")
	r.set("ASSOCIATEDBDCRDNUMBER", "None")
	r.set("STREET1", "12 EXCHANGE PLACE")
	r.set("CITY", strings.ToUpper(m.city))
	if m.country != "United States" {
		r.set("STATEORCOUNTRY", countryCodes[m.country])
		r.set("STATEORCOUNTRYDESCRIPTION", strings.ToUpper(m.country))
	} else {
		r.set("STATEORCOUNTRYDESCRIPTION", strings.ToUpper(m.state))
	}
	r.set("STATES_OR_VALUE_LIST", "All States")
	if noise(it.key, 47, 0, 1) == 0 {
		r.set("STATES_OR_VALUE_LIST", "CA,NY,TX")
		r.set("DESCRIPTIONS_LIST", "CALIFORNIA,NEW YORK,TEXAS")
	}
	r.flag("FOREIGNSOLICITATION", noise(it.key, 48, 0, 3) == 0)
	w.put(recipients)
}

// noFirstName is what filers type where a company stands among the persons.
var noFirstName = []string{"N/A", "LLC", "-", "None", "n/a"}

func (w *noticeWriter) persons(it issuer, number string) {
	r := w.rows[relatedPersons]
	seq := 0
	begin := func() {
		seq++
		r.begin(number)
		r.set("RELATEDPERSON_SEQ_KEY", strconv.Itoa(seq))
		r.address(it.place)
	}
	for n, at := range it.people {
		if n == 3 || n > 0 && noise(it.key, uint64(60+n), 0, 2) == 0 { // #nosec G115 -- small
			break
		}
		begin()
		r.set("FIRSTNAME", titled(at.who.first))
		r.set("MIDDLENAME", titled(at.who.middle))
		r.set("LASTNAME", titled(at.who.last))
		r.set("RELATIONSHIP_1", "Executive Officer")
		if n == 0 {
			r.set("RELATIONSHIP_2", "Director")
		}
		if it.fund != nil {
			r.set("RELATIONSHIPCLARIFICATION", "Officer of the general partner")
		}
		w.put(relatedPersons)
	}
	if it.entity != "" {
		begin()
		r.set("FIRSTNAME", wordOf(noFirstName, it.key, 49))
		r.set("LASTNAME", it.entity)
		r.set("RELATIONSHIP_1", "Promoter")
		r.set("RELATIONSHIPCLARIFICATION", `General partner (the "GP") of the issuer`)
		w.put(relatedPersons)
	}
}

func (w *noticeWriter) signature(it issuer, number string, n notice) {
	r := w.rows[signatures]
	r.begin(number)
	r.set("SIGNATURE_SEQ_KEY", "1")
	r.set("ISSUERNAME", it.name)
	if len(it.people) > 0 {
		who := it.people[0].who
		name := titled(who.first) + " " + titled(who.last)
		r.set("SIGNATURENAME", "/s/ "+name)
		r.set("NAMEOFSIGNER", name)
	}
	r.set("SIGNATURETITLE", "Authorized Signatory")
	r.set("SIGNATUREDATE", iso(n.on))
	w.put(signatures)
}
