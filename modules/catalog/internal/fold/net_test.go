package fold_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
)

// A feeder counts with its master where that is another open fund of the adviser, of known value; everything else counts.
func TestInMasters(t *testing.T) {
	t.Parallel()
	fund := func(id, status string, gav *int64, master string) fold.Fund {
		f := fold.Fund{FundID: id, Status: status, FiledFund: fold.FiledFund{GrossAssetValue: gav}}
		if master != "" {
			f.IsFeeder, f.MasterFundID = new(true), &master
		}
		return f
	}
	v := new(int64(100))
	notFeeder := fund("10", "active", v, "1")
	notFeeder.IsFeeder = new(false)
	unnamed := fund("11", "active", v, "")
	unnamed.IsFeeder = new(true)
	funds := []fold.Fund{
		fund("1", "active", v, ""), fund("2", "active", v, "1"), fund("3", "liquidating", nil, "1"),
		fund("4", "active", v, "99"),                            // a master of another adviser
		fund("5", "closed", v, ""), fund("6", "active", v, "5"), // a closed one
		fund("7", "active", nil, ""), fund("8", "active", v, "7"), // one of unknown value
		fund("9", "active", v, "9"), notFeeder, unnamed,
		fund("12", "active", v, "13"), fund("13", "active", v, "12"), // each other's
		fund("14", "active", v, "2"), // a feeder of a feeder
	}
	var left []string
	in := fold.InMasters(funds)
	for i := range funds {
		if in[&funds[i]] {
			left = append(left, funds[i].FundID)
		}
	}
	require.Equal(t, []string{"2", "3", "14"}, left)
}

// A list of funds does not say which of them are feeders: the total without feeders is then unknown, not that of all.
func TestNetGAVOfUnknownFeeders(t *testing.T) {
	t.Parallel()
	filing := fold.Filing{Accession: "A", CRD: "7", FilingDate: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), FundsListed: true}
	fund := func(id string, gav *int64, feeder *bool) fold.FundVersion {
		return fold.FundVersion{Filing: filing, FundID: id, FiledFund: fold.FiledFund{Name: id, GrossAssetValue: gav, IsFeeder: feeder}}
	}
	said, unsaid, novalue := fund("1", new(int64(5)), new(false)), fund("2", new(int64(3)), nil), fund("3", nil, nil)
	for name, c := range map[string]struct {
		funds []fold.FundVersion
		want  *int64
	}{
		"all say":                   {[]fold.FundVersion{said}, new(int64(5))},
		"one does not":              {[]fold.FundVersion{said, unsaid}, nil},
		"none does":                 {[]fold.FundVersion{unsaid}, nil},
		"one without a value":       {[]fold.FundVersion{said, novalue}, new(int64(5))},
		"an adviser without a fund": {nil, new(int64(0))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := fold.Record{
				CRD: "7", Versions: []fold.AdviserVersion{{
					Filing:    filing,
					Statement: catalogapi.Statement{LegalName: "Quarry"},
				}}, Filings: []fold.Filed{{Filing: filing}},
				FundVersions: c.funds,
			}
			state := r.State(filing.FilingDate, fold.Provenance{})
			require.Equal(t, c.want, state.NetGAV)
			_, told := state.Provenance["net_gav"]
			require.Equal(t, c.want != nil, told)
		})
	}
}
