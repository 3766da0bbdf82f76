package derive_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
)

func TestNamesFirm(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"HARBOR RIDGE SECURITIES LLC": true, "Harbor Ridge GP II, L.P.": true, "Mossgate Trust Company": true, "Larkspur Real Estate Fund": true, "Kestrel Advisors": true,
		"ALDERWICK, JUNO, PERSON": false, "Juno Alderwick": false, "The Alderwick Family Trust": false, "ALDERWICK FAMILY INVESTMENTS TRUST": false,
		"Estate of Juno Alderwick": false, "Juno Alderwick IRA": false, "": false, "Capital": true, "Alderwick Family Holdings, LLC": true,
		"OSTERVANE BANK & TRUST": true, "Ashkettle & Rooke, P.C.": true, "Ostermundt Vale S.à r.l.": true, "Stourholme, CPAs": true, "Parravane & Sons, P.A.": true, "Jorrance Lim PLT": true, "Cendrake Custody S.A.": true,
		"Juno Alderwick c/o Kestrel LLC": false, "Alderwick c/o Kestrel LLC": false, "Juno Alderwick of Kestrel Securities LLC": false, "Juno Alderwick (Kestrel Securities LLC)": false,
		"Kestrel Securities LLC (Juno Alderwick)": false, "Kestrel Securities LLC - Juno Alderwick": false, "Juno Alderwick, Kestrel Securities LLC": false,
		"Alderwick, Juno, Kestrel Securities LLC": false, "Juno Alderwick, registered representative of Kestrel Securities, LLC": false, "Juno Alderwick / Kestrel LLC": false,
		"Kestrel Securities LLC attn Juno Alderwick": false, "Juno Alderwick; Kestrel LLC": false, "Juno West (Kestrel Securities LLC)": false, "Juno K. Alderwick, Jr., Kestrel Capital LLC": false,
		"Kestrel Fund Services (Ireland) Ltd": true, "Kestrel Fund Services (Cayman Islands) Ltd": true, "Bank of Mossgate Rooke": true, "Kestrel Capital, LLC (Member FINRA/SIPC)": true,
		"Ashkettle, Rooke & Company, P.C.": true, "Ashkettle Rooke, Vale, Orm & Thorne Incorporated": true, "Kestrel Securities LLC, New York": true, "Kestrel Rooke (USA) Inc.": true,
		"Kestrel Bank AG, London Branch": true, "First Mossgate Bank, a division of Kestrel Bank, N.A.": true, "Kestrel LLC, a Mossgate company": true, "GRANT THORNTON": true, "Kestrel LLC Juno Alderwick": false, "Kestrel LLC per Juno Alderwick": false, "Kestrel LLC and Juno Alderwick": false, "Ms Juno Alderwick Kestrel LLC": false, "Kestrel LLC—Juno Alderwick": false,
		"Kestrel Securities LLC by Juno Alderwick": false, "Ashkettle & Rooke LLP (Juno Alderwick)": false, "Juno Alderwick Financial Advisor": false, "Juno Alderwick GP": false,
		"Juno Alderwick Custodian for Ola Orm": false, "Kestrel LLC \"Juno Alderwick\"": false, "Mossgate Fund Custodian": true, "Juno Alderwick aka Kestrel LLC": false,
		"Kestrel LLC, its manager Juno Alderwick": false, "Kestrel LLC <juno@alderwick.example>": false, "Kestrelbank, N.A.": true, "Kestrel Rooke Bank, National Association": true,
		"Kestrel AG": true, "Rooke Vale S.A.": true, "Juno Sa": false, "Juno Na": false, "BNP Paribas": true, "Citibank, N.A.": true, "Northern Trust": true, "Credit Suisse AG": true,
		"Ashkettle Rooke & Co.": true, "YARROWGATE CO.": true, "Yarrowgate Co": false, "Alderwick, Co.": false, "CO, JUNO": false, "KPMG": true,
		"Kestrel Bank, N.A.": true, "Juno Bank Alderwick": false, "JUNO ALDERWICK D/B/A ALDERWICK SECURITIES": false, "Juno Alderwick DBA Kestrel Securities": false,
		"Kestrel Way LLC as custodian for Juno Alderwick": false, "Kestrel Trust Company as Trustee for Juno Alderwick": false, "Kestrel Trust Company TTEE Juno Alderwick": false, "Kestrel Way LLC doing business as Juno Alderwick": false,
		"Kestrel Way LLC CPA Juno Alderwick": false, "Kestrel CPAs LLC, Juno Alderwick CPA": false, "Kestrel Way LLC Series Juno Alderwick": false, "Kestrel Way LLC Rep 123 Juno Alderwick": false, "Kestrel LLC 212-555-0100 Juno Alderwick": false,
		"Juno Alderwick Managing Member Kestrel Way LLC": false, "Juno Alderwick CEO Kestrel Way LLC": false, "Juno Alderwick broker Kestrel Way LLC": false, "Juno Alderwick Jr Kestrel LLC": false, "Juno Alderwick Esq & Kestrel LLP": false, "/s/ Juno Alderwick Kestrel LLC": false,
		"Juno Alderwick in association with Kestrel LLC": false, "Juno Alderwick representing Kestrel LLC": false, "Juno Alderwick ex Kestrel LLC": false, "Juno Alderwick or Kestrel LLC": false, "Juno Alderwick and/or Kestrel LLC": false, "Juno Alderwick of Kestrel, LLC": false,
		"Juno Alderwick's firm Kestrel LLC": false, "Juno Alderwick as agent Kestrel LLC": false, "Kestrel B.V. Juno Alderwick": false, "Kestrel Way L.P. Juno Alderwick": false, "Kestrel Corp Juno Alderwick": false, "Kestrel Limited Juno Alderwick": false, "Kestrel Way P.C. Juno Alderwick": false,
		"Kestrel Capital Juno Alderwick": false, "Kestrel Fund Services Juno Alderwick": false, "Kestrel Bank and Juno Alderwick": false, "Juno Alderwick UBS AG": false, "Kestrel LLC Juno Alderwick Rooke Inc": false, "Kestrel LLC successor to Juno Alderwick": false, "UBS Financial Services Inc. (The Alderwick Group)": false,
		"Juno Alderwick employed by Kestrel LLC": false, "Law Offices of Juno Alderwick": false, "Kestrel Securities LLC [Juno Alderwick]": false,
		"Robert W. Kestrel & Co. Incorporated": true, "Kestrel & Company Investment Counsel, LLC": true, "Kestrel Ventures Management Company V, LLC": true, "Kestrel Capital Management (DIFC) Ltd": true, "Ashkettle/Rooke Advisors, LLC": true, "Bank of America": true,
		"Kestrel Securities (Mauritius) Limited": true, "Kestrel Fund Administration - Cayman Ltd": true, "Partners for Growth LLC": true, "KESTREL ADVISORS - NY, INC.": true, "Center for Wealth Management LLC": true, "Kestrel Fund Services London": true, "KESTREL ROOKE CAPITAL (BEIJING) CO., LTD.": true, "Kestrel Capital (Suisse) S.A.": true, "Kestrel LLC (Alderwick)": false, "Kestrel Co-Invest Advisors, LP": true, "Kestrel Co. Juno Alderwick": false, "Moody's Kestrel LLC": true,
		"First National Bank": true, "Bank of Mossgate": true, "BANK, JUNO": false, "INTERNATIONAL, JUNO": false, "Juno Alderwick Trust": false, "Trust u/w Juno Alderwick": false,
	} {
		assert.Equal(t, want, derive.NamesFirm(name), name)
	}
}

func TestShowsFirm(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"Ostravant Capital LLC": true, "Kestrel Rooke Fund Services (Ireland) Ltd": true, "Grant Street Advisors": true, "Madison River Capital LLC": true, "Robert Capital LLC": true, "St. James Partners LLC": true,
		"Robert W. Baird & Co. Incorporated": true, "Merrill Lynch, Pierce, Fenner & Smith Incorporated": true, "Goldman Sachs & Co. LLC": true, "Ostermundt Vale S.à r.l.": true, "J. Ostravant & Co. LLC": true,
		"Robert Hatherby & Ostravant LLC": false, "Robert Hatherby LLC": false, "Ostravant Robert LLC": false, "Robert H. LLC": false, "ROBERT HATHERBY CAPITAL LLC": false, "Hatherby-Robert Capital LLC": false, "Robert.Hatherby Capital LLC": false,
		"Juno Alderwick Kestrel LLC": false, "Juno Alderwick & Kestrel LLC": false, "Juno Alderwick operating as Kestrel Capital": false, "Juno Alderwick voor Kestrel B.V.": false, "Juno K. Alderwick Capital LLC": false, "Juno K L Alderwick LLC": false, "J. Alderwick Kestrel LLC": false, "J.Alderwick Kestrel LLC": false, "Juno2 Alderwick1 Kestrel LLC": false, "T. Rowe Price Associates, Inc.": true,
		"Juno Alderwick Goldman Sachs LLC": false, "Goldman Sachs Robert Hatherby LLC": false, "Goldman Sachs Robert LLC": false, "ALDERWICK, JUNO LLC": false, "Alderwick, Juno & Company": false, "Herr Alderwick Capital": false, "Rev. Alderwick Bank": false,
		"Alderwick and spouse LLC": false, "Alderwick JTWROS Bank": false, "Juno Capital 401k Bank": false, "(1) Alderwick Capital": false, "1) Alderwick Capital": false, "Alderwick Capital (Juno)": false,
		"Robert.Q.Alderwick LLC": false, "Robert's Alderwick LLC": false, "Kestrel (Alderwick) LLC": false, "Kestrel Capital (Suisse) SA": true, "Trustee Juno Alderwick LLC": false, "Trustees Juno Alderwick LLC": false, "Juno Alderwick Trustees LLC": false, "Robert..Alderwick LLC": false, "Robert''Alderwick LLC": false, "Juno Alderwick Trustee LLC": false, "Juno Alderwick Retirement LLC": false,
		"Co-Trustee Juno Alderwick LLC": false, "Successor Trustee Alderwick LLC": false, "Sole Trustee Alderwick LLC": false, "Juno Alderwick (Trustee) LLC": false, "Juno Alderwick (Member) LLC": false, "Kestrel Trustees LLC": true,
		"Robert2 Hatherby LLC": false, "2Robert Hatherby LLC": false, "Robert2Hatherby LLC": false, "João Hatherby LLC": false, "Inês Hatherby LLC": false, "Mohd. Hatherby LLC": false, "Ángel Hatherby LLC": false, "Nuño Hatherby LLC": false, "Angel Capital LLC": true, "Mossgate2 Capital LLC": true,
		"RobertHatherby LLC": false, "HatherbyRobert Capital LLC": false, "MacDonald Capital LLC": true, "OstraVant LLC": true, "Alderwick, J. LLC": false, "Alderwick, J LLC": false, "ALDERWICK, J., LLC": false,
		"Kestrel Capital, L.P.": true, "Kestrel Bank, N.A.": true, "Ostermundt Vale, S.A.": true, "Kestrel Rooke Capital, LLC (Member FINRA/SIPC)": true, "Mossgate Trustee Services LLC": true, "D'Ostravant Capital LLC": true, "Alderwick\u200bCapital LLC": false, "Alderwick\u00a0Capital LLC": false, "Alderwick＆Kestrel LLC": false, "Ａlderwick Capital LLC": false, "Alderwick + Kestrel LLC": false, "Alderwick ⅋ Kestrel LLC": false, "Kestrel|Alderwick LLC": false, "Кestrel LLC": false,
	} {
		assert.Equal(t, want, derive.ShowsFirm(name, nil), name)
	}
}

func TestNamesPerson(t *testing.T) {
	t.Parallel()
	const filed = "ALDERWICK, JUNO, PERSON"
	for address, want := range map[string]bool{
		"junoalderwick.example": true, "alderwick-juno.example": true, "x.example/jalderwick": true, "alderwick.example": false, "juno.example": false, "mossgate.example": false,
	} {
		require.Equal(t, want, derive.NamesPerson(address, filed), address)
	}
	require.True(t, derive.NamesPerson("junoalderwick", "Juno Alderwick"))
	require.False(t, derive.NamesPerson("junoalderwick", "ALDERWICK"))
	for _, c := range []struct {
		filed, name string
		want        bool
	}{
		{"ALDERWICK, B, KENT", "B KENT ALDERWICK LLC", true},
		{"ALDERWICK, B, KENT", "B. K. Alderwick, LLC", true},
		{"ALDERWICK, B, KENT", "KENT ALDERWICK LLC", true},
		{"ALDERWICK, ROBERT, JAMES", "RJ ALDERWICK CAPITAL LLC", true},
		{"ALDERWICK, ROBERT", "R. J. ALDERWICK LLC", true},
		{"ALDERWICK, ROBERT", "J. R. ALDERWICK LLC", true},
		{"THORNE ORM, OLA", "OLA ORM HOLDINGS LLC", true},
		{"THORNE ORM, OLA", "THORNE HOLDINGS LLC", false},
		{"ALDERWICK, ROBERT", "ALDERWICK CAPITAL LLC", false},
		{"ALDERWICK, ROBERT", "THE ALDERWICK FUND LP", false},
		{"ALDERWICK, JUNO, AL", "ALDERWICK CAPITAL LLC", false},
	} {
		require.Equal(t, c.want, derive.NamesPerson(c.name, c.filed), "%s: %s", c.filed, c.name)
	}
}

func TestWebsiteOf(t *testing.T) {
	t.Parallel()
	for filed, want := range map[string]struct {
		url  string
		page derive.Page
	}{
		"www.mossgate.example":                                {"https://www.mossgate.example", derive.FirmPage},
		"https://mossgate.example/team":                       {"https://mossgate.example/team", derive.FirmPage},
		"https://mossgate.example/team/juno-alderwick":        {"", derive.PersonPage},
		"https://mossgate.example/?p=Robert_Hatherby":         {"", derive.PersonPage},
		"https://mossgate.example/?lang=en":                   {"https://mossgate.example/?lang=en", derive.FirmPage},
		"https://www.linkedin.com/in/juno":                    {"", derive.PersonPage},
		"https://linkedin.com/company/mossgate?trk=x":         {"https://linkedin.com/company/mossgate", derive.SocialPage},
		"https://adviserinfo.sec.gov/individual/summary/1234": {"", derive.PersonPage},
		"https://facebook.com/profile.php?id=12":              {"", derive.PersonPage},
		"https://twitter.com/mossgate":                        {"https://twitter.com/mossgate", derive.SocialPage},
		"N/A":                                                 {"", derive.NoPage}, "": {"", derive.NoPage},
	} {
		url, page := derive.WebsiteOf(filed)
		require.Equal(t, want.url, url, filed)
		require.Equal(t, want.page, page, filed)
	}
}

func TestNamesOnly(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"": true, "/mossgate": true, "/MossgateCapital": true, "/mossgate-capital-llc/about": true, "/mgp": true, "/channel/UCabcdefghijklmnopqrstuv": true, "/pages/mossgate/123": true,
		"/juno": false, "/junomossgate": false, "/mossgate/juno": false, "/c/junoalderwick": false,
	} {
		page := &url.URL{Host: "www.twitter.com", Path: path}
		require.Equal(t, want, derive.NamesOnly(page, "Mossgate Growth Partners LLC"), path)
	}
	for host, want := range map[string]bool{"mossgate.substack.com": true, "medium.com": true, "junoalderwick.substack.com": false, "juno.medium.com": false} {
		require.Equal(t, want, derive.NamesOnly(&url.URL{Host: host}, "Mossgate Growth Partners LLC"), host)
	}
}

// Guarantee: a shown website has no path that may name a person, and is on no directory of persons.
func TestShownWebsite(t *testing.T) {
	t.Parallel()
	for filed, want := range map[string]string{
		"https://mossgate.example/team/juno-alderwick": "https://mossgate.example", "https://mossgate.example/robert-alderwick/": "https://mossgate.example",
		"https://mossgate.example/?p=Robert": "https://mossgate.example", "https://advisors.mossgate.example/junoalderwick": "https://advisors.mossgate.example",
		"https://mossgate.example/JunoAlderwick": "https://mossgate.example", "https://mossgate.example/juno.alderwick?lang=en": "https://mossgate.example",
		"https://mossgate.example/en-us/?c=juno": "https://mossgate.example/en-us/",
		"https://mossgate.example/funds":         "https://mossgate.example/funds", "https://mossgate.example/team": "https://mossgate.example/team",
		"https://bank.example/MossgateWealth/index.html?lang=en": "https://bank.example/MossgateWealth/index.html?lang=en",
		"https://about.me/junoalderwick":                         "", "https://www.wealthtender.com/financial-advisors/juno": "", "https://juno.substack.com": "",
		"https://junoalderwick.mossgate.example": "https://mossgate.example", "https://juno.mossgatecapital.co.uk/funds": "https://mossgatecapital.co.uk",
		"https://junoalderwick.bank.example": "", "https://wealth.bank.example": "https://wealth.bank.example", "https://ir.mossgate.example/": "https://ir.mossgate.example",
		"https://junoalderwick.example":       "https://junoalderwick.example",
		"https://junoalderwick.wordpress.com": "", "https://juno-alderwick.ghost.io": "", "https://alderwick.github.io": "",
		"https://mossgategrowth.wordpress.com": "https://mossgategrowth.wordpress.com", "https://mgp.wixsite.com/home": "https://mgp.wixsite.com/home",
		"https://sites.google.com/view/junoalderwick": "", "https://sites.google.com/view/mossgate": "https://sites.google.com/view/mossgate", "https://mossgate.example/%E6%9D%8E%E6%98%8E": "https://mossgate.example", "https://mossgate.co.uk": "https://mossgate.co.uk",
	} {
		require.Equal(t, want, catalogapi.TextOf(derive.ShownWebsite(&filed, "Mossgate Growth Partners LLC")), filed)
	}
	require.Nil(t, derive.ShownWebsite(nil))
}
