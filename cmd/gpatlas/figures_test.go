package main

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// checkFigures compares what a service with the small sample says of advisers with awkward histories with what was computed
// by hand from the rows of its archives: Form ADV items 5.A and 5.F(2)(c), Schedule D 7.B.(1), Form D's first sale, Form ADV-W.
func checkFigures(t *testing.T, at string) {
	t.Helper()
	for name, c := range metricsByHand {
		status, body := get(t, at+"/v1/gps/"+c.ask)
		require.Equal(t, http.StatusOK, status, "%s: %s", name, body)
		var got struct{ GP, Metrics json.RawMessage }
		require.NoError(t, json.Unmarshal([]byte(body), &got), name)
		require.JSONEq(t, c.gp, string(got.GP), name)
		require.JSONEq(t, c.metrics, string(got.Metrics), name)
	}
	for crd, want := range changesByHand {
		require.JSONEq(t, want, data(t, at+"/v1/gps/"+crd+"/changes"), crd)
	}
	for path, want := range amendmentsByHand {
		var rows []struct {
			Accession string `json:"accession_number"`
			Form      string `json:"filing_type"`
			Date      string `json:"filing_date"`
			Kind      string `json:"amendment_type"`
		}
		require.NoError(t, json.Unmarshal([]byte(data(t, at+"/v1/"+path+"/amendments")), &rows))
		var lines []string
		for _, r := range rows {
			lines = append(lines, r.Date+" "+r.Form+" "+r.Kind+" "+r.Accession)
		}
		require.Equal(t, want, lines, path)
	}
}

// data is the "data" of an answer.
func data(t *testing.T, url string) string {
	t.Helper()
	status, body := get(t, url)
	require.Equal(t, http.StatusOK, status, body)
	var got struct{ Data json.RawMessage }
	require.NoError(t, json.Unmarshal([]byte(body), &got))
	return string(got.Data)
}

var metricsByHand = map[string]struct{ ask, gp, metrics string }{
	// Latest 2026-01-26; 2025-02-21 is 26 days off a year before (339 days between), 2023-03-24 57 days off three years before
	// (1,039 days). Vintages 2020, 2021, 2024 (first filing, first sale, first sale): the newest is two years old, and worth
	// 55,641,540 against the 9,623,324 of the oldest in 2022.
	"six years of filings": {
		ask: "763283/metrics",
		gp:  `{"crd":"763283","legal_name":"ZEPHANFORD ADVISORS, LLC","total_aum":105479905,"employee_count":12}`,
		metrics: `{"aum_growth":{"yoy_percent":-8.24,"yoy_reason":null,"yoy_from":"2025-02-21","yoy_to":"2026-01-26",
			"cagr_3y_percent":56.43,"cagr_reason":null,"cagr_from":"2023-03-24","cagr_to":"2026-01-26"},
			"employee_growth":{"yoy_percent":0,"yoy_reason":null,"yoy_from":"2025-02-21","yoy_to":"2026-01-26"},
			"fund_metrics":{"fund_count":3,"avg_fund_size_usd":27904737,
			"avg_fund_size_trend_percent":478.19,"avg_fund_size_trend_age_years":2,"avg_fund_size_trend_reason":null,
			"fund_launch_cadence_months":23.24,"fund_launch_cadence_reason":null,"first_vintage":2020,"latest_vintage":2024}}`,
	},
	"one filing only": {
		ask: "879327/metrics",
		gp:  `{"crd":"879327","legal_name":"GARVANDKELD ROWAN SEED PARTNERS, LLC","total_aum":724246,"employee_count":null}`,
		metrics: `{"aum_growth":{"yoy_percent":null,"yoy_reason":"no_filing","yoy_from":null,"yoy_to":null,
			"cagr_3y_percent":null,"cagr_reason":"no_filing","cagr_from":null,"cagr_to":null},
			"employee_growth":{"yoy_percent":null,"yoy_reason":"no_filing","yoy_from":null,"yoy_to":null},
			"fund_metrics":{"fund_count":2,"avg_fund_size_usd":362123,
			"avg_fund_size_trend_percent":null,"avg_fund_size_trend_age_years":null,"avg_fund_size_trend_reason":"too_few_vintages",
			"fund_launch_cadence_months":null,"fund_launch_cadence_reason":"too_few_funds","first_vintage":2024,"latest_vintage":2026}}`,
	},
	// Filings of 2021-03-29 and 2023-03-24, none between: no figure for a year, and 1,092 days from that of 2020-03-27. Form D
	// came later: the vintage is that of the first filing. One of the two funds is parallel to the other: no cadence.
	"a gap of two years": {
		ask: "700316/metrics?as_of=2023-12-31",
		gp: `{"crd":"700316","legal_name":"Pravanthorpe Juniper International Private Credit Limited","total_aum":78466265,
			"employee_count":10}`,
		metrics: `{"aum_growth":{"yoy_percent":null,"yoy_reason":"no_filing","yoy_from":null,"yoy_to":null,
			"cagr_3y_percent":57.29,"cagr_reason":null,"cagr_from":"2020-03-27","cagr_to":"2023-03-24"},
			"employee_growth":{"yoy_percent":null,"yoy_reason":"no_filing","yoy_from":null,"yoy_to":null},
			"fund_metrics":{"fund_count":2,"avg_fund_size_usd":37724166,
			"avg_fund_size_trend_percent":null,"avg_fund_size_trend_age_years":null,"avg_fund_size_trend_reason":"too_few_vintages",
			"fund_launch_cadence_months":null,"fund_launch_cadence_reason":"too_few_funds","first_vintage":2020,"latest_vintage":2020}}`,
	},
	// 0 in 2025-01-16 and 2023-03-23. Employees: 17 of 2 in 431 days.
	"zero assets before": {
		ask: "764557/metrics",
		gp:  `{"crd":"764557","legal_name":"UMBRANSHAW GALE CAPITAL MANAGEMENT L.L.C.","total_aum":311535296,"employee_count":17}`,
		metrics: `{"aum_growth":{"yoy_percent":null,"yoy_reason":"not_positive","yoy_from":"2025-01-16","yoy_to":"2026-03-23",
			"cagr_3y_percent":null,"cagr_reason":"not_positive","cagr_from":"2023-03-23","cagr_to":"2026-03-23"},
			"employee_growth":{"yoy_percent":512.48,"yoy_reason":null,"yoy_from":"2025-01-16","yoy_to":"2026-03-23"},
			"fund_metrics":{"fund_count":2,"avg_fund_size_usd":135450129,
			"avg_fund_size_trend_percent":null,"avg_fund_size_trend_age_years":null,"avg_fund_size_trend_reason":"too_few_vintages",
			"fund_launch_cadence_months":7.08,"fund_launch_cadence_reason":null,"first_vintage":2025,"latest_vintage":2025}}`,
	},
	// An exempt adviser without funds: nobody says what it manages, or how many work there.
	"unknown assets": {
		ask: "947714/metrics?as_of=2024-01-01",
		gp: `{"crd":"947714","legal_name":"ASTROVARMERE HARBOUR GROWTH EQUITY HOLDINGS, L.P.","total_aum":null,
			"employee_count":null}`,
		metrics: `{"aum_growth":{"yoy_percent":null,"yoy_reason":"unknown_value","yoy_from":"2022-06-24","yoy_to":"2023-06-09",
			"cagr_3y_percent":null,"cagr_reason":"unknown_value","cagr_from":"2020-06-26","cagr_to":"2023-06-09"},
			"employee_growth":{"yoy_percent":null,"yoy_reason":"unknown_value","yoy_from":"2022-06-24","yoy_to":"2023-06-09"},
			"fund_metrics":{"fund_count":0,"avg_fund_size_usd":null,
			"avg_fund_size_trend_percent":null,"avg_fund_size_trend_age_years":null,"avg_fund_size_trend_reason":"too_few_vintages",
			"fund_launch_cadence_months":null,"fund_launch_cadence_reason":"too_few_funds","first_vintage":null,"latest_vintage":null}}`,
	},
	// Regulatory assets of 2026-06-29 against the funds' value of 2025-06-23: no growth.
	"registered, exempt before": {
		ask: "947714/metrics",
		gp: `{"crd":"947714","legal_name":"ASTROVARMERE HARBOUR GROWTH EQUITY HOLDINGS, L.P.","total_aum":144921740,
			"employee_count":6}`,
		metrics: `{"aum_growth":{"yoy_percent":null,"yoy_reason":"registration_changed","yoy_from":"2025-06-23","yoy_to":"2026-06-29",
			"cagr_3y_percent":null,"cagr_reason":"registration_changed","cagr_from":"2023-06-09","cagr_to":"2026-06-29"},
			"employee_growth":{"yoy_percent":null,"yoy_reason":"unknown_value","yoy_from":"2025-06-23","yoy_to":"2026-06-29"},
			"fund_metrics":{"fund_count":2,"avg_fund_size_usd":1702464,
			"avg_fund_size_trend_percent":null,"avg_fund_size_trend_age_years":null,"avg_fund_size_trend_reason":"too_few_vintages",
			"fund_launch_cadence_months":null,"fund_launch_cadence_reason":"too_few_funds","first_vintage":2025,"latest_vintage":2025}}`,
	},
	// The ADV-W of 2025-02-07 is no filing to compare; the newest form is of 2024-08-02 and no longer names the third fund.
	// Vintages 2020 (two funds), 2022, 2023: 53,992,050 against (237,377,011 + 40,949,817) / 2.
	"withdrawn": {
		ask: "769178/metrics",
		gp:  `{"crd":"769178","legal_name":"ZORVANGATE LINDEN PARTNERS LTD.","total_aum":534723761,"employee_count":20}`,
		metrics: `{"aum_growth":{"yoy_percent":null,"yoy_reason":"no_filing","yoy_from":null,"yoy_to":null,
			"cagr_3y_percent":null,"cagr_reason":"no_filing","cagr_from":null,"cagr_to":null},
			"employee_growth":{"yoy_percent":null,"yoy_reason":"no_filing","yoy_from":null,"yoy_to":null},
			"fund_metrics":{"fund_count":4,"avg_fund_size_usd":104438234,
			"avg_fund_size_trend_percent":null,"avg_fund_size_trend_age_years":null,"avg_fund_size_trend_reason":"no_common_age",
			"fund_launch_cadence_months":null,"fund_launch_cadence_reason":"funds_older_than_data","first_vintage":2020,"latest_vintage":2023}}`,
	},
	// 70 employees at noon, 7 again an hour later. 2023-08-25 is 49 days off three years before; of a year before there is
	// none within 120 days.
	"two amendments of one day": {
		ask: "893514/metrics",
		gp:  `{"crd":"893514","legal_name":"DUNVALTOFT CREDIT ADVISORS, L.P.","total_aum":248046065,"employee_count":7}`,
		metrics: `{"aum_growth":{"yoy_percent":6.87,"yoy_reason":null,"yoy_from":"2025-03-28","yoy_to":"2026-03-27",
			"cagr_3y_percent":8.85,"cagr_reason":null,"cagr_from":"2023-03-27","cagr_to":"2026-03-27"},
			"employee_growth":{"yoy_percent":0,"yoy_reason":null,"yoy_from":"2025-03-28","yoy_to":"2026-03-27"},
			"fund_metrics":{"fund_count":3,"avg_fund_size_usd":15706902,
			"avg_fund_size_trend_percent":null,"avg_fund_size_trend_age_years":null,"avg_fund_size_trend_reason":"too_few_vintages",
			"fund_launch_cadence_months":null,"fund_launch_cadence_reason":"too_few_days","first_vintage":2020,"latest_vintage":2022}}`,
	},
}

// The amendment of 2025-03-31 changes nothing.
var changesByHand = map[string]string{
	"763283": `[
		{"filing_date":"2026-01-26","accession_number":"ADV-763283-809285","filing_type":"ADV/A","fields_changed":[
			{"field":"total_aum","before":114251177,"after":105479905,"change_amount":-8771272,"change_percent":-7.68},
			{"field":"total_gav","before":90675538,"after":83714211,"change_amount":-6961327,"change_percent":-7.68}]},
		{"filing_date":"2025-02-21","accession_number":"ADV-763283-807860","filing_type":"ADV/A","fields_changed":[
			{"field":"total_aum","before":108617622,"after":114251177,"change_amount":5633555,"change_percent":5.19},
			{"field":"total_gav","before":86204462,"after":90675538,"change_amount":4471076,"change_percent":5.19}]},
		{"filing_date":"2024-03-08","accession_number":"ADV-763283-806552","filing_type":"ADV/A","fields_changed":[
			{"field":"total_aum","before":29515506,"after":108617622,"change_amount":79102116,"change_percent":268},
			{"field":"employee_count","before":7,"after":12,"change_amount":5,"change_percent":71.43},
			{"field":"fund_count","before":2,"after":3,"change_amount":1,"change_percent":50},
			{"field":"total_gav","before":23425005,"after":86204462,"change_amount":62779457,"change_percent":268}]},
		{"filing_date":"2023-03-24","accession_number":"ADV-763283-805408","filing_type":"ADV/A","fields_changed":[
			{"field":"total_aum","before":30101727,"after":29515506,"change_amount":-586221,"change_percent":-1.95},
			{"field":"total_gav","before":23890260,"after":23425005,"change_amount":-465255,"change_percent":-1.95}]},
		{"filing_date":"2022-03-02","accession_number":"ADV-763283-804319","filing_type":"ADV/A","fields_changed":[
			{"field":"total_aum","before":10198019,"after":30101727,"change_amount":19903708,"change_percent":195.17},
			{"field":"employee_count","before":5,"after":7,"change_amount":2,"change_percent":40},
			{"field":"fund_count","before":1,"after":2,"change_amount":1,"change_percent":100},
			{"field":"total_gav","before":8093666,"after":23890260,"change_amount":15796594,"change_percent":195.17}]},
		{"filing_date":"2021-03-24","accession_number":"ADV-763283-803792","filing_type":"ADV/A","fields_changed":[
			{"field":"total_aum","before":8711527,"after":10198019,"change_amount":1486492,"change_percent":17.06},
			{"field":"employee_count","before":4,"after":5,"change_amount":1,"change_percent":25},
			{"field":"total_gav","before":6913911,"after":8093666,"change_amount":1179755,"change_percent":17.06}]}]`,
	"879327": `[]`,
}

var amendmentsByHand = map[string][]string{
	"gps/769178": {
		"2026-03-06 D/A material 0003001899-26-000002",
		"2025-09-05 D/A material 0003001901-25-000002",
		"2025-08-19 D/A material 0003001897-25-000002",
		"2025-02-07 ADV-W withdrawal ADVW-769178-50000008",
		"2024-08-02 ADV/A material ADV-769178-807448",
		"2024-03-28 ADV/A annual ADV-769178-807082",
		"2023-03-06 ADV/A annual ADV-769178-805142",
		"2022-10-12 ADV initial ADV-769178-804897",
	},
	"gps/879327": {
		"2026-10-06 D/A material 0003001719-26-000002",
		"2026-01-29 ADV initial ADV-879327-809299",
	},
	"funds/805-1260363807": {
		"2026-04-06 D/A material 0003000036-26-000003",
		"2026-01-26 ADV/A annual ADV-763283-809285",
		"2025-04-25 D/A material 0003000036-25-000002",
		"2025-03-31 ADV/A material ADV-763283-808633",
		"2025-02-21 ADV/A annual ADV-763283-807860",
		"2024-03-08 ADV/A initial ADV-763283-806552",
	},
}
