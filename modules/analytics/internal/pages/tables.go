package pages

import (
	"strings"

	"gpatlas/platform/console"
)

var before, after = console.Shown{Text: "Before", Number: true, Value: written("before")}, console.Shown{Text: "After", Number: true, Value: written("after")}

// differences shows the fields of the manager, then the funds.
func differences(a *console.Answer) []console.Titled {
	data := a.Record()
	var changed []any
	for _, each := range rows(data["funds_changed"]) {
		fund, _ := each.(map[string]any)
		for _, change := range rows(fund["changes"]) {
			if row, ok := change.(map[string]any); ok {
				row["fund"], row["fund_id"] = fund["name"], fund["fund_id"]
				changed = append(changed, row)
			}
		}
	}
	field := console.Value("Field", "field", console.Word)
	return []console.Titled{
		titled("Manager", data["adviser"], "No field of the manager changed.", field, before, after),
		titled("Funds changed", changed, "No fund changed.", fund("fund"), field, before, after),
		titled("Funds added", data["funds_added"], "No fund was added.", fund("name"), console.Figure("Gross assets", "gross_asset_value", console.Dollars)),
		titled("Funds removed", data["funds_removed"], "No fund was removed.", fund("name"), console.Figure("Gross assets", "gross_asset_value", console.Dollars)),
	}
}

// changes shows one table for each filing.
func changes(a *console.Answer) (list []console.Titled) {
	for _, each := range a.Rows() {
		filing, _ := each.(map[string]any)
		title := console.Day(filing["filing_date"]) + ", " + console.Plain(filing["filing_type"])
		list = append(list, titled(title, filing["fields_changed"], "No field changed.", console.Value("Field", "field", console.Word), before, after,
			console.Figure("Percent", "change_percent", console.Or(console.Plain, ""))))
	}
	if list == nil {
		list = append(list, titled("", nil, "No filing changed a field that is compared."))
	}
	return list
}

func similar(a *console.Answer) []console.Titled {
	reasons := func(row map[string]any) console.Cell {
		of, _ := row["similarity_breakdown"].(map[string]any)
		var parts []string
		for _, reason := range rows(of["reasons"]) {
			parts = append(parts, console.Plain(reason))
		}
		return console.Cell{Text: strings.Join(parts, "; ")}
	}
	return []console.Titled{titled("", a.Record()["similar_gps"], "No manager is similar.",
		console.Linked("Manager", "legal_name", func(row map[string]any) string { return "/gps/" + console.Plain(row["crd"]) }),
		console.Value("Office", "location", console.Plain), console.Figure("Assets", "aum", console.Money), console.Figure("Score", "similarity_score", console.Count),
		console.Shown{Text: "Why", Value: reasons})}
}

func disclosures(a *console.Answer) []console.Titled {
	data := a.Record()
	empty := "The filings disclose nothing."
	if data["stated"] == false {
		empty = "No filing that was loaded states whether there is anything to disclose."
	}
	list := []console.Titled{titled("", data["events"], empty,
		console.Value("Date", "event_date", console.Day), console.Value("Kind", "event_type", console.Word), console.Value("By", "initiated_by", console.Plain),
		console.Value("What", "description", console.Plain), console.Value("Resolution", "resolution", console.Plain), console.Value("Status", "status", console.Plain),
		console.Figure("Amount", "monetary_amount", console.Dollars), console.Value("Filing", "accession_number", console.Plain),
		console.Value("No longer reported", "no_longer_reported", console.Word))}
	return list
}

func fund(member string) console.Shown {
	return console.Linked("Fund", member, func(row map[string]any) string { return "/funds/" + console.Plain(row["fund_id"]) })
}

// written writes a value of the row's field.
func written(member string) func(row map[string]any) console.Cell {
	return func(row map[string]any) console.Cell {
		return console.Cell{Text: console.Said(console.Plain(row["field"]), row[member])}
	}
}

func rows(v any) []any {
	list, _ := v.([]any)
	return list
}

func titled(title string, list any, empty string, columns ...console.Shown) console.Titled {
	return console.Titled{Title: title, Table: console.NewTable(&console.Answer{Data: rows(list)}, empty, columns...)}
}
