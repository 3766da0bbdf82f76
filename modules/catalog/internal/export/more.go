package export

import (
	"reflect"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
)

// more is a column that lists do not have, with its value as text in the table. It means the same as the detail's field of that name.
type more struct {
	name, sql string
	role      string // the firms that have it for the fund; they come from the index
}

// auditorNames are separated as in fundMore.
const auditorNames = "auditors"

// shownAuditors is a cell of auditors with those whose names may be shown.
func shownAuditors(snapshot *index.Snapshot, cell *string) *string {
	if cell == nil {
		return nil
	}
	names := slices.DeleteFunc(strings.Split(*cell, "; "), func(name string) bool { return !snapshot.ShowsAuditor(name) })
	return catalogapi.Text(strings.Join(names, "; "))
}

// gpMore are those of managers, in catalog.advisers.
var gpMore = []more{
	{"phone", "phone", ""},
	{"street1", "street1", ""},
	{"street2", "street2", ""},
	{"postal_code", "postal_code", ""},
	{"sec_number", "sec_number", ""},
	{"lei", "lei", ""},
	{"registered_on", "to_char(registered_on, 'YYYY-MM-DD')", ""},
	{"founded_year", "founded_year::text", ""},
	{"org_form", "org_form", ""},
	{"org_state", "org_state", ""},
	{"total_gav", "total_gav::text", ""},
	{"net_gav", "net_gav::text", ""},
	{"total_investors", "total_investors::text", ""},
}

// fundMore are those of funds, in catalog.funds.
//
// Spec: not shown; a cell has one value. The values of a list have semicolons between them, in both formats, and the two days of
// closed_between are two columns.
var fundMore = []more{
	{"minimum_investment", "minimum_investment::text", ""},
	{"beneficial_owners_count", "beneficial_owners_count::text", ""},
	{auditorNames, "nullif(array_to_string(auditors, '; '), '')", ""},
	{"form_d_file_numbers", "nullif(array_to_string(form_d_file_numbers, '; '), '')", ""},
	{"closed_after", "to_char(CASE WHEN closed_on IS NOT NULL THEN latest_filed_on END, 'YYYY-MM-DD')", ""},
	{"closed_before", "to_char(closed_on, 'YYYY-MM-DD')", ""},
	{"administrators", unread, string(catalogapi.RoleAdministrator)},
	{"custodians", unread, string(catalogapi.RoleCustodian)},
	{"prime_brokers", unread, string(catalogapi.RolePrimeBroker)},
	{"marketers", unread, string(catalogapi.RoleMarketer)},
	{"stage", stageSQL, ""},
}

// unread is the value of what the index has.
const unread = "NULL"

// others are the columns that are no fields of details.
var others = map[string]struct{ kind, description string }{
	"closed_after":   {"date", "Only for closed funds: day of the last filing that names the fund (after of closed_between)."},
	"closed_before":  {"date", "Only for closed funds: day of the manager's first complete list without the fund (before of closed_between)."},
	"administrators": {typeText, servedBy("Administrators")},
	"custodians":     {typeText, servedBy("Custodians")},
	"prime_brokers":  {typeText, servedBy("Prime brokers")},
	"marketers":      {typeText, servedBy("Marketers (placement agents)")},
	"stage":          {typeText, "Stage of the offering of the fund that has the newest notice, as in the list of the fund's offerings: closed, sold_out, lapsed, announced or raising. Null: no notice of Form D is of the fund."},
}

func servedBy(firms string) string {
	return firms + " of the fund if it is not closed, by the name that the list of its providers shows. Null: none, unknown, or withheld because they are or may be persons."
}

// read are the columns of a detail that are read from its table.
func read(detail reflect.Type, list []more) []column {
	columns := make([]column, len(list))
	for i, m := range list {
		c := column{Field{Name: m.name, Type: others[m.name].kind, Description: others[m.name].description}, i}
		if c.Description == "" {
			f, found := detail.FieldByNameFunc(func(field string) bool {
				f, _ := detail.FieldByName(field)
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				return name == m.name
			})
			if !found {
				panic("export: the detail has no " + m.name)
			}
			c.Type, c.Description = kind(f), f.Tag.Get("doc")
		}
		columns[i] = c
	}
	return columns
}

// reads reports whether a column is read from the database.
func (f *File) reads() bool {
	return slices.ContainsFunc(f.columns, func(c column) bool { return !c.Default })
}
