package adv

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/table"
)

// unasked are the items that exempt reporting advisers do not answer: that their table lacks them is no silence.
var unasked = func() (fields []string) {
	for _, c := range catalogapi.ColumnsOf(reflect.TypeFor[catalogapi.Statement]()) {
		if strings.HasPrefix(c.Tag.Get("item"), "5.") {
			fields = append(fields, c.Name)
		}
	}
	return fields
}()

// stands maps the fields and lists of a filing that have tables of their own to these tables. A document that lacks one of a
// field's tables is silent about the field.
var stands = map[string][]string{
	catalogapi.FieldWebsite:    {websites},
	catalogapi.TableWebsites:   {websites},
	catalogapi.TableOffices:    {offices},
	catalogapi.TableOwners:     {owners},
	catalogapi.TableFeeders:    {feeders, feederDetails},
	catalogapi.TableSubAdvised: {subAdvisedFunds},
	catalogapi.TableAffiliates: {affiliates},
	catalogapi.TableImplicated: {drpAffiliates},

	catalogapi.OfPart(catalogapi.TableIdentifiers, catalogapi.IdentifierCIK): {ciks},
	catalogapi.OfPart(catalogapi.TableIdentifiers, catalogapi.IdentifierCRD): {otherCRDs},

	catalogapi.OfPart(catalogapi.TableDisclosures, catalogapi.DisclosureCriminal):   {drpCriminal},
	catalogapi.OfPart(catalogapi.TableDisclosures, catalogapi.DisclosureRegulatory): {drpRegulatory},
	catalogapi.OfPart(catalogapi.TableDisclosures, catalogapi.DisclosureCivil):      {drpCivil},

	catalogapi.OfPart(catalogapi.TableProviders, catalogapi.RoleGeneralPartner): {partners},
	catalogapi.OfPart(catalogapi.TableProviders, catalogapi.RolePrimeBroker):    {primeBrokers},
	catalogapi.OfPart(catalogapi.TableProviders, catalogapi.RoleCustodian):      {custodians},
	catalogapi.OfPart(catalogapi.TableProviders, catalogapi.RoleAdministrator):  {administrators},
	catalogapi.OfPart(catalogapi.TableProviders, catalogapi.RoleMarketer):       {marketers},
}

// standsOfFunds is stands for the fields of funds.
var standsOfFunds = map[string][]string{
	catalogapi.FieldFundAuditors: {auditors},
	catalogapi.FieldFundFormD:    {formD},
}

// silence returns the fields that the filings of a piece do not state, by day: the columns that the piece lacks, and the fields
// in tables that the archive lacks, for filings of the kind or for those of the day. A table without rows for any filing of
// the kind counts as missing: it may have lost them.
//
// Spec: not shown; months in which no adviser of a kind has rows in a table are rare, and what was known stays until one has.
func (d *document) silence(k kind, p *piece) func(submitted time.Time) []string {
	fields := d.lackingColumns(k, p)
	// Tables mostly reach over the days of the filings' table: then all its filings are alike.
	partly := make(map[string][]string)
	for name, tables := range d.standing(k) {
		if !d.reach(k, tables, p.from, p.to) {
			partly[name] = tables
		}
	}
	byDay := make(map[time.Time][]string)
	return func(submitted time.Time) []string {
		day := time.Time{}
		if len(partly) > 0 {
			day = submitted.Truncate(24 * time.Hour)
		}
		if names, known := byDay[day]; known {
			return names
		}
		names := slices.Clone(fields)
		for name, tables := range partly {
			if !d.reach(k, tables, day, day) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		byDay[day] = slices.Clip(slices.Compact(names))
		return byDay[day]
	}
}

// standing is stands with the form of organization, which for registered advisers is in base B.
func (d *document) standing(k kind) map[string][]string {
	if k == era {
		return stands
	}
	all := maps.Clone(stands)
	for _, field := range catalogapi.InBaseB {
		all[field] = []string{baseB}
	}
	return all
}

// reach reports whether all these tables of a kind reach from one day to another.
func (d *document) reach(k kind, tables []string, from, to time.Time) bool {
	return !slices.ContainsFunc(tables, func(name string) bool { return !covers(d.tables[tableID{k, name}], from, to) })
}

// lackingColumns names what a piece of the table of filings lacks the column of.
func (d *document) lackingColumns(k kind, p *piece) []string {
	fields := lacking(p)
	if k == era {
		return slices.DeleteFunc(fields, func(f string) bool { return slices.Contains(unasked, f) })
	}
	fields = slices.DeleteFunc(fields, func(f string) bool { return slices.Contains(catalogapi.InBaseB, f) })
	for _, b := range d.tables[tableID{ia, baseB}] {
		fields = append(fields, lacking(b)...)
	}
	return fields
}

// silenceOfFunds names the fields of the funds of a piece that have a table of their own, where the archive lacks it.
func (d *document) silenceOfFunds(file string) (fields []string) {
	id, from, to, _ := identify(file)
	for name, tables := range standsOfFunds {
		if !d.reach(id.kind, tables, from, to) {
			fields = append(fields, name)
		}
	}
	return fields
}

func lacking(p *piece) []string {
	layout, err := table.Bind(p.header, p.file.Columns)
	if err != nil {
		return nil // such a table is skipped
	}
	return layout.Silent()
}

// edition is the last day that the tables of filings reach to.
func (d *document) edition() (last time.Time) {
	for _, k := range []kind{ia, era} {
		for _, p := range d.tables[base(k)] {
			if p.to.After(last) {
				last = p.to
			}
		}
	}
	return last
}
