package parse_test

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/realdata"
)

// The samples of a commercial mirror say what rows of the archives mean. Each record is written back as the archive's row
// by the headers that the regulator uses, read again, and must say what the record says. Messages name record and field
// only: the samples hold real names.

// oracle reads the records of a sample. Its text holds the whole reply, or what of it fitted in: the records before a cut count.
func oracle[T any](t *testing.T, name string) []T {
	t.Helper()
	content, err := os.ReadFile(realdata.File(t, "sec-api-samples/"+name))
	require.NoError(t, err)
	var sample struct {
		Text string `json:"text"`
	}
	require.NoError(t, json.Unmarshal(content, &sample))
	d := json.NewDecoder(strings.NewReader(sample.Text))
	_, err = d.Token()
	require.NoError(t, err)
	var records []T
	for d.More() {
		var record T
		if d.Decode(&record) != nil {
			break
		}
		records = append(records, record)
	}
	require.NotEmpty(t, records)
	return records
}

// line writes a row as the regulator does: text in quotes that are not escaped, in the order of the header.
func line(header string, cells map[string]string) string {
	names := strings.Split(header, ",")
	out := make([]string, len(names))
	for i, name := range names {
		if out[i] = cells[name]; name != "FilingID" && name != "ReferenceID" && out[i] != "" {
			out[i] = `"` + out[i] + `"`
		}
	}
	return strings.Join(out, ",")
}

func yn(yes bool) string {
	if yes {
		return "Y"
	}
	return "N"
}

// parsed reads an archive of one filing, 7, and one more table.
func parsed(t *testing.T, name, header string, rows []string) *children {
	t.Helper()
	c := mustDrainChildren(t, folder(t, files{
		"IA_ADV_Base_A" + month: table(tinyHeader, "7,6/1/2026,ALDERMOOR CAPITAL LLC,4711"),
		name + month:            table(header, rows...),
	}))
	require.Empty(t, c.rejected)
	return c
}

type ownerRecord struct {
	Name      string `json:"name"`
	OwnerType string `json:"ownerType"`               //nolint:tagliatelle // the mirror's names, here and below
	Owned     string `json:"entityOwned"`             //nolint:tagliatelle // as above
	Title     string `json:"titleStatus"`             //nolint:tagliatelle // as above
	Status    string `json:"status"`                  // Schedule B's name of the same
	Acquired  string `json:"dateTitleStatusAcquired"` //nolint:tagliatelle // as above
	AcquiredB string `json:"dateStatusAcquired"`      //nolint:tagliatelle // as above
	Code      string `json:"ownershipCode"`           //nolint:tagliatelle // as above
	Control   bool   `json:"isControlPerson"`         //nolint:tagliatelle // as above
	Reporting bool   `json:"isPublicReporting"`       //nolint:tagliatelle // as above
	CRD       string `json:"crd"`
}

// TestOracleOwners covers Schedules A and B.
func TestOracleOwners(t *testing.T) {
	t.Parallel()
	for file, schedule := range map[string]string{"form-adv-schedule-a-direct-owners.json": "A", "form-adv-schedule-b-indirect-owners.json": "B"} {
		records := oracle[ownerRecord](t, file)
		var rows []string
		for _, r := range records {
			year, month, _ := strings.Cut(r.Acquired+r.AcquiredB, "-")
			rows = append(rows, line(ownerHeader, map[string]string{
				"FilingID": "7", "SchA-3": "N", "Schedule": schedule, "Full Legal Name": r.Name, "DE/FE/I": r.OwnerType, "Entity in Which": r.Owned,
				"Title or Status": r.Title + r.Status, "Status Acquired": month + "/" + year, "Ownership Code": r.Code, "Control Person": yn(r.Control),
				"PR": yn(r.Reporting), "OwnerID": r.CRD,
			}))
		}
		owners := parsed(t, "IA_Schedule_A_B", ownerHeader, rows).owners
		require.Len(t, owners, len(records))
		for i, r := range records {
			o := owners[i]
			year, month, _ := strings.Cut(r.Acquired+r.AcquiredB, "-")
			for field, same := range map[string]bool{
				"schedule": o.Schedule == schedule, "name": o.Name == r.Name, "ownerType": o.EntityType == r.OwnerType, "entityOwned": o.OwnedEntity == r.Owned,
				"title": o.Title == r.Title+r.Status, "year": strconv.Itoa(o.AcquiredYear) == year, "month": o.AcquiredMonth > 0 && strings.TrimLeft(month, "0") == strconv.Itoa(o.AcquiredMonth),
				"ownershipCode": o.OwnershipCode == r.Code, "isControlPerson": *o.ControlPerson == r.Control, "isPublicReporting": *o.PublicReporting == r.Reporting,
				"crd": o.OwnerID == r.CRD,
			} {
				require.True(t, same, "%s, record %d: %s", file, i, field)
			}
		}
	}
}

type affiliateRecord struct {
	Name     string   `json:"1-nameOfRelatedPerson"`   //nolint:tagliatelle // the mirror's names, here and below
	Business string   `json:"2-businessName"`          //nolint:tagliatelle // as above
	SEC      string   `json:"3-secFileNumber"`         //nolint:tagliatelle // as above
	CRD      string   `json:"4a-crdNumber"`            //nolint:tagliatelle // as above
	Types    []string `json:"5-typesOfRelatedPerson"`  //nolint:tagliatelle // as above
	Controls bool     `json:"6-controlsRelatedPerson"` //nolint:tagliatelle // as above
	Common   bool     `json:"7-underCommonControl"`    //nolint:tagliatelle // as above
	Place    struct {
		Street1 string `json:"street1"`
		City    string `json:"city"`
		State   string `json:"state"`
		Zip     string `json:"zipCode"` //nolint:tagliatelle // as above
		Country string `json:"country"`
	} `json:"8c-locationOfRelatedPerson"` //nolint:tagliatelle // as above
}

// TestOracleAffiliates covers Schedule D 7.A.
func TestOracleAffiliates(t *testing.T) {
	t.Parallel()
	records := oracle[affiliateRecord](t, "form-adv-schedule-d-7-a.json")
	require.Greater(t, len(records), 20)
	var rows []string
	for i, r := range records {
		cells := map[string]string{
			"FilingID": "7", "ReferenceID": strconv.Itoa(i + 1), "Legal Name": r.Name, "Business Name": r.Business, "SEC Number or Other": r.SEC, "CRD Number": r.CRD,
			"Control/Controlled": yn(r.Controls), "Common Control": yn(r.Common), "Street 1": r.Place.Street1, "City": r.Place.City, "State": r.Place.State,
			"Country": r.Place.Country, "Postal Code": r.Place.Zip,
		}
		for letter := 'a'; letter <= 'p'; letter++ {
			cells["5"+string(letter)] = "N"
		}
		for _, kind := range r.Types {
			cells["5"+kind[:1]] = "Y"
		}
		rows = append(rows, line(affiliateHeader, cells))
	}
	affiliates := parsed(t, "IA_Schedule_D_7A", affiliateHeader, rows).affiliates
	require.Len(t, affiliates, len(records))
	for i, r := range records {
		a := affiliates[i]
		letters := []string{}
		for _, kind := range r.Types {
			letters = append(letters, kind[:1])
		}
		for field, same := range map[string]bool{
			"reference": a.ReferenceID == strconv.Itoa(i+1), "name": a.LegalName == r.Name, "business": a.BusinessName == r.Business, "sec": a.SECNumber == r.SEC,
			"crd": a.CRD == r.CRD, "types": slices.Equal(a.Types, letters), "controls": *a.Controls == r.Controls, "common": *a.CommonControl == r.Common,
		} {
			require.True(t, same, "record %d: %s", i, field)
		}
	}
}

type fundRecord struct {
	Name string `json:"1a-nameOfFund"`               //nolint:tagliatelle // the mirror's names, here and below
	ID   string `json:"1b-fundIdentificationNumber"` //nolint:tagliatelle // as above
	Law  struct {
		State   string `json:"state"`
		Country string `json:"country"`
	} `json:"2-lawOrganizedUnder"` //nolint:tagliatelle // as above
	C1      bool `json:"4-1-exclusionUnder3c1"`                    //nolint:tagliatelle // as above
	C7      bool `json:"4-2-exclusionUnder3c7"`                    //nolint:tagliatelle // as above
	Master  bool `json:"6a-isMasterFundInMasterFeederArrangement"` //nolint:tagliatelle // as above
	Feeder  bool `json:"6c-isFeederFundInMasterFeederAgreement"`   //nolint:tagliatelle // as above
	OfFunds bool `json:"8a-isFundOfFunds"`                         //nolint:tagliatelle // as above
	Kind    struct {
		Selected []string `json:"selectedTypes"` //nolint:tagliatelle // as above
	} `json:"10-typeOfFund"` //nolint:tagliatelle // as above
	GAV      int64   `json:"11-grossAssetValue"`                               //nolint:tagliatelle // as above
	Minimum  int64   `json:"12-minInvestmentCommitment"`                       //nolint:tagliatelle // as above
	Owners   int64   `json:"13-numberOfBeneficialOwners"`                      //nolint:tagliatelle // as above
	You      float64 `json:"14-percentageOwnedByYou"`                          //nolint:tagliatelle // as above
	Funds    float64 `json:"15a-percentageOwnedByFundsOfFunds"`                //nolint:tagliatelle // as above
	NonUS    float64 `json:"16-percentageOwnedByNonUnitedStatesPersons"`       //nolint:tagliatelle // as above
	Audit    bool    `json:"23a-1-financialStatementsAreSubjectToAnnualAudit"` //nolint:tagliatelle // as above
	GAAP     bool    `json:"23a-2-financialStatementsPreparedWithUsGaap"`      //nolint:tagliatelle // as above
	Opinions string  `json:"23h-reportsIncludeUnqualifiedOpinions"`            //nolint:tagliatelle // as above
}

// TestOracleFunds covers Schedule D 7.B.(1).
func TestOracleFunds(t *testing.T) {
	t.Parallel()
	records := oracle[fundRecord](t, "form-adv-schedule-d-7-b-1.json")
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	percent := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	var rows []string
	for i, r := range records {
		rows = append(rows, line(fundHeader, map[string]string{
			"FilingID": "7", "Fund Name": r.Name, "Fund ID": r.ID, "ReferenceID": strconv.Itoa(i + 1), "State": r.Law.State, "Country": r.Law.Country,
			"3(c)(1) Exclusion": yn(r.C1), "3(c)(7) Exclusion": yn(r.C7), "Master Fund": yn(r.Master), "Feeder Fund": yn(r.Feeder), "Fund of Funds": yn(r.OfFunds),
			"Fund Type": r.Kind.Selected[0], "Gross Asset Value": number(r.GAV), "Minimum Investment": number(r.Minimum), "Owners": number(r.Owners),
			"%Owned You or Related": percent(r.You), "%Owned Funds": percent(r.Funds), "%Owned Non-US": percent(r.NonUS), "Annual Audit": yn(r.Audit),
			"GAAP": yn(r.GAAP), "Unqualified Opinion": r.Opinions,
		}))
	}
	funds := parsed(t, "IA_Schedule_D_7B1", fundHeader, rows).funds
	require.Len(t, funds, len(records))
	for i, r := range records {
		f := funds[i]
		for field, same := range map[string]bool{
			"name": f.Name == r.Name, "id": f.FundID == r.ID, "state": f.State == r.Law.State, "country": f.Country == r.Law.Country, "3c1": *f.Is3C1 == r.C1,
			"3c7": *f.Is3C7 == r.C7, "master": *f.IsMaster == r.Master, "feeder": *f.IsFeeder == r.Feeder, "fund of funds": *f.IsFundOfFunds == r.OfFunds,
			"type": f.FundType == r.Kind.Selected[0], "gav": *f.GAV == r.GAV, "minimum": *f.MinInvestment == r.Minimum, "owners": *f.Owners == r.Owners,
			"you": *f.PctRelated == r.You, "funds": *f.PctFunds == r.Funds, "non-US": *f.PctNonUS == r.NonUS, "audit": *f.AnnualAudit == r.Audit,
			"GAAP": *f.GAAP == r.GAAP, "opinions": f.Unqualified == r.Opinions,
		} {
			require.True(t, same, "record %d: %s", i, field)
		}
	}
}
