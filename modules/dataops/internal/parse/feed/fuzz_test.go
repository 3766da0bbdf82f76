package feed_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops/internal/parse"
)

// FuzzFeed gives any bytes as a feed: nothing may panic or read without end, and what is given keeps the promises of the
// catalog's contract.
func FuzzFeed(f *testing.F) {
	f.Add(latin1(f, document(sec, day, whole, exempt)))
	f.Add(latin1(f, document(state, day, firm("1", `<StateRgstn/><Filing Dt="2026-03-04"/>`))))
	f.Add(gzipped(f, latin1(f, document(sec, day, exempt))))
	f.Add([]byte("\n<?xml version='1.0' encoding='latin1'?><!-- x --><IAPDFirmSECReport><Firm><Info FirmCrdNb='1' LegalNm='&lt;\x92'/>" +
		"<Filing Dt='2026-03-04'/><Filing Dt='2026-03-05'/></Firm></IAPDFirmSECReport>"))
	f.Add([]byte(`<!DOCTYPE IAPDFirmSECReport [<!ENTITY a "b">]><IAPDFirmSECReport>&a;</IAPDFirmSECReport>`))
	f.Fuzz(func(t *testing.T, content []byte) {
		d, err := drain(t.Context(), write(t, "IA_FIRM_SEC_Feed_09_16_2026.xml", content),
			parse.Options{Limits: parse.Limits{TotalBytesMax: 4 << 20, MemberBytesMax: 2 << 20}})
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		if d.opened.Kind != "iapd_feed" {
			return
		}
		seen := map[string]bool{}
		for _, a := range d.filings {
			require.False(t, seen[a.CRD], "a firm is given once")
			seen[a.CRD] = true
			require.Regexp(t, `^[1-9][0-9]{0,9}$`, a.CRD)
			require.NotEmpty(t, a.LegalName)
			require.False(t, a.Submitted.IsZero())
			require.False(t, a.FundsListed)
		}
		for _, w := range d.websites {
			require.NotEmpty(t, w.Website)
		}
		for _, r := range d.rejected {
			require.NotEmpty(t, r.Reason)
			require.Positive(t, r.Line)
			require.LessOrEqual(t, len(r.Raw), 4<<10)
		}
	})
}
