package derive_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/vocab"
)

func TestStrategy(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	const pe, other = "Private Equity Fund", "Other Private Fund"
	for _, c := range []struct {
		fund derive.Fund
		want string
	}{
		{derive.Fund{Type: pe, Name: "Juniper Vale Partners IV, L.P."}, "buyout"},
		{derive.Fund{Type: pe, Name: "Juniper Vale Growth Fund II"}, "growth"},
		{derive.Fund{Type: "private equity fund", Name: "JUNIPER VALE GROWTH-EQUITY II"}, "growth"},
		{derive.Fund{Type: pe, Name: "Outgrowth Holdings"}, "buyout"},
		{derive.Fund{Type: pe, Name: "Lark Ventures Growth II"}, "growth"},
		{derive.Fund{Type: pe, Name: "Lark Ventures Seed"}, "venture"},
		{derive.Fund{Type: pe, Name: "Harrow Secondaries III", FundOfFunds: &yes}, "secondaries"},
		{derive.Fund{Type: pe, Name: "Harrow Secondary Opportunities"}, "secondaries"},
		{derive.Fund{Type: pe, Name: "Tern Fund-of-Funds VI"}, "fund-of-funds"},
		{derive.Fund{Type: pe, Name: "Tern Select VI", FundOfFunds: &yes}, "fund-of-funds"},
		{derive.Fund{Type: pe, Name: "Tern Select VI", FundOfFunds: &no}, "buyout"},
		{derive.Fund{Type: pe, Name: "Tern Buyout VI", FundOfFunds: &yes}, "buyout"},
		{derive.Fund{Type: pe, Name: "Corvid Direct Lending Fund"}, "credit"},
		{derive.Fund{Type: pe, Name: "Corvid Mezzanine"}, "credit"},
		{derive.Fund{Type: pe, Name: "Corvid Real Estate Debt"}, "real-estate"},
		{derive.Fund{Type: pe, Name: "Corvid Real-Estate Partners"}, "real-estate"},
		{derive.Fund{Type: pe, Name: "Corvid Realistic Estates"}, "buyout"},
		{derive.Fund{Type: pe, Name: "Corvid Infrastructure Debt"}, "infrastructure"},
		{derive.Fund{Type: pe, Name: ""}, "buyout"},
		{derive.Fund{Type: "Hedge Fund", Name: "Corvid Credit", FundOfFunds: &yes}, "hedge"},
		{derive.Fund{Type: "hedge fund"}, "hedge"},
		{derive.Fund{Type: "Venture Capital Fund", Name: "Lark Growth II"}, "venture"},
		{derive.Fund{Type: "Real Estate Fund", Name: "Lark Growth II"}, "real-estate"},
		{derive.Fund{Type: "Liquidity Fund"}, "liquidity"},
		{derive.Fund{Type: "Securitized Asset Fund"}, "securitized"},
		{derive.Fund{Type: other, Name: "Wren CLO 12 Ltd."}, "securitized"},
		{derive.Fund{Type: other, TypeOther: "PRIVATE CREDIT", Name: "Wren Growth"}, "credit"},
		{derive.Fund{Type: other, TypeOther: "special purpose vehicle", Name: "Wren Growth"}, "growth"},
		{derive.Fund{Type: other, TypeOther: "long/short equity"}, "hedge"},
		{derive.Fund{Type: other, TypeOther: "private equity co-investment"}, "buyout"},
		{derive.Fund{Type: other, Name: "Wren Special Purpose 7", FundOfFunds: &yes}, "fund-of-funds"},
		{derive.Fund{Type: other, Name: "Wren Special Purpose 7"}, "other"},
		{derive.Fund{Type: "Other", Name: "Wren Money Market"}, "liquidity"},
		{derive.Fund{Name: "Wren Macro"}, "hedge"},
		{derive.Fund{}, "other"},
	} {
		require.Equal(t, c.want, derive.Strategy(c.fund), "%+v", c.fund)
	}
}

// Whatever a filing holds, the strategy is one of the vocabulary.
func TestStrategyIsAlwaysOfTheVocabulary(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		got := derive.Strategy(derive.Fund{
			Type: rapid.String().Draw(t, "type"), TypeOther: rapid.String().Draw(t, "other"), Name: rapid.String().Draw(t, "name"),
		})
		if _, ok := vocab.ExpandStrategy(got); !ok {
			t.Fatalf("unknown strategy %q", got)
		}
	})
}

func TestSaysLiquidating(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"Quill Fund II (in liquidation)": true, "Quill Liquidating Trust": true, "QUILL WIND-DOWN VEHICLE": true,
		"Quill Fund (winding up)": true, "Quill Liquidity Fund": false, "Windward Capital": false, "": false,
	} {
		require.Equal(t, want, derive.SaysLiquidating(name), name)
	}
}

func TestNameStem(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"ALDER POINT CAPITAL MANAGEMENT, L.L.C.": "alder point",
		"Alder Point Advisors LP":                "alder point",
		"Alder Point Real Estate Partners, Inc.": "alder point",
		"Capital Partners LLC":                   "capital partners",
		"LLC":                                    "llc",
		"Société Générale d'Érable S.A.":         "societe generale derable",
		"Fox & Finch Group":                      "fox finch",
		"":                                       "",
	} {
		require.Equal(t, want, derive.NameStem(name), name)
	}
}

func TestWebsite(t *testing.T) {
	t.Parallel()
	for filed, want := range map[string]string{
		"HTTPS://WWW.ALDERPOINT.EXAMPLE.COM":                                 "https://www.alderpoint.example.com",
		"WWW.ALDERPOINT.COM":                                                 "https://www.alderpoint.com",
		"http://AlderPoint.com/About?x=Y":                                    "http://alderpoint.com/About?x=Y",
		" https://alderpoint.co.uk/ ":                                        "https://alderpoint.co.uk",
		"HTTPS://SITES.GOOGLE.COM/VIEW/ALDER":                                "https://sites.google.com/VIEW/ALDER",
		"https://alder.wixsite.com/home":                                     "https://alder.wixsite.com/home",
		"https://www.linkedin.com/company/a":                                 "",
		"HTTP://LINKEDIN.COM":                                                "",
		"https://uk.linkedin.com/x":                                          "",
		"https://x.com/alder":                                                "",
		"https://twitter.com/a; https://www.linkedin.com/b; http://alder.vc": "http://alder.vc",
		"https://www.linkedin.com/company/a https://alder.fund/":             "https://alder.fund",
		"https://www.linkedin.com/a, www.alderpoint.com, www.birch.com":      "https://www.alderpoint.com",
		"https://www.linkedin.com/a;b, alder":                                "",
		"https://netflix.com":                                                "https://netflix.com",
		"www.facebook.com/alder":                                             "",
		"https://www.youtube.com/@alder":                                     "",
		"https://medium.com/@alder":                                          "",
		"https://www.crunchbase.com/organi":                                  "",
		"www.example.com (main site)":                                        "https://www.example.com",
		"https://alderpoint.com and others":                                  "https://alderpoint.com",
		"alderpoint.com; fenwick.com":                                        "https://alderpoint.com",
		"WWW.ALDERPOINT.COM; WWW.FENWICK.COM":                                "https://www.alderpoint.com",
		"www.linkedin.com/company/a (social)":                                "",
		"see www.alderpoint.com":                                             "https://www.alderpoint.com",
		"Alder Point Inc. (none)":                                            "",
		"https://calendly.com/alder":                                         "",
		"https://linktr.ee/alder":                                            "",
		"https://open.spotify.com/show/1":                                    "",
		"https://podcasts.apple.com/podcast/1":                               "",
		"https://alder.substack.com":                                         "",
		"https://www.tiktok.com/@alder":                                      "",
		"https://alder.podbean.com":                                          "",
		"http://www.twitter.comalderfund":                                    "",
		"https://www.facebook.comALDER-Capital-231/":                         "",
		"https://www.linkedin/company/alder":                                 "",
		"HTTPS://WWW.https://www.instagram.com/alder":                        "",
		"https://www.linkedin/company/a; https://alder.fund":                 "https://alder.fund",
		"www.alderpoint (soon)":                                              "",
		"https://co.uk":                                                      "",
		"https://alder.github.io":                                            "https://alder.github.io",
		"https://alder.capital":                                              "https://alder.capital",
		"https://www.alder.example":                                          "https://www.alder.example",
		"https://alderapple.com":                                             "https://alderapple.com",
		"N/A":                                                                "",
		"NONE":                                                               "",
		"info@alderpoint.com":                                                "",
		"ftp://alderpoint.com":                                               "",
		"https://10.0.0.1/":                                                  "",
		"https://":                                                           "",
		"javascript:alert(1)":                                                "",
		"https://alder point.com":                                            "",
		"https://[::1]/":                                                     "",
		"https://user:secret@alderpoint.com":                                 "",
		"https://alderpoint.com.":                                            "https://alderpoint.com",
		"":                                                                   "",
		"https://алдер.рф":                                                   "https://xn--80aidw1a.xn--p1ai",
		"https://alderpoint.com/#/home":                                      "https://alderpoint.com",
		"//alderpoint.com":                                                   "https://alderpoint.com",
		"https://alderpoint.com:8443/Investor":                               "https://alderpoint.com:8443/Investor",
	} {
		got, ok := derive.Website(filed)
		require.Equal(t, want, got, filed)
		require.Equal(t, want != "", ok, filed)
	}
}

func TestWebsiteDomain(t *testing.T) {
	t.Parallel()
	for website, want := range map[string]string{
		"https://www.alderpoint.com/team":   "alderpoint.com",
		"https://ir.alderpoint.co.uk":       "alderpoint.co.uk",
		"https://alder.wixsite.com/home":    "",
		"https://sites.google.com/VIEW/A":   "",
		"https://alderpoint.com:8443":       "alderpoint.com",
		"":                                  "",
		"https://alder.github.io":           "",
		"https://alderpoint.com.br/english": "alderpoint.com.br",
	} {
		require.Equal(t, want, derive.WebsiteDomain(website), website)
	}
}

// Normalizing a website twice changes nothing more.
func TestWebsiteIsIdempotent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		once, ok := derive.Website(rapid.StringMatching(`(HTTPS?://)?[A-Za-z.-]{1,20}(/[A-Za-z?=#%]{0,8})?`).Draw(t, "filed"))
		if !ok {
			return
		}
		twice, ok := derive.Website(once)
		if !ok || twice != once {
			t.Fatalf("%q became %q (%v)", once, twice, ok)
		}
	})
}
