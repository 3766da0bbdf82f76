package regulatory

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEventTypeOf(t *testing.T) {
	t.Parallel()
	const sec = "UNITED STATES SECURITIES AND EXCHANGE COMMISSION"
	for name, test := range map[string]struct {
		family, kind, by string
		items            []string
		want             EventType
	}{
		"criminal":                     {familyCriminal, "SRO", "FINRA", nil, Criminal},
		"civil":                        {familyCivil, "SRO", "NYSE", []string{"11.E(1)"}, Civil},
		"self-regulator by type":       {familyRegulatory, "SRO", "", nil, Disciplinary},
		"spelled out":                  {familyRegulatory, "Self-Regulatory Organization", "", nil, Disciplinary},
		"SEC":                          {familyRegulatory, "SEC", sec, []string{"11.E(1)"}, Regulatory},
		"state, whatever its name":     {familyRegulatory, "State", "NASD DEPARTMENT OF TEXAS", nil, Regulatory},
		"foreign":                      {familyRegulatory, "Foreign", "LONDON STOCK EXCHANGE", nil, Regulatory},
		"other federal":                {familyRegulatory, "Other Federal", "CFTC", nil, Regulatory},
		"by name":                      {familyRegulatory, "", "FINRA", nil, Disciplinary},
		"by former name":               {familyRegulatory, "Other", "National Association of Securities Dealers, Inc.", nil, Disciplinary},
		"an exchange":                  {familyRegulatory, "N/A", "New York Stock Exchange (NYSE)", nil, Disciplinary},
		"an exchange's division":       {familyRegulatory, "", "NYSE REGULATION", nil, Disciplinary},
		"the commission by name":       {familyRegulatory, "", sec, []string{"11.E(1)"}, Regulatory},
		"part of a word":               {familyRegulatory, "", "CMEX ADVISERS' BOARD OF TIVAN", nil, Regulatory},
		"by items":                     {familyRegulatory, "", "", []string{"11.E(1)", "11.E(3)"}, Disciplinary},
		"by items, also for others":    {familyRegulatory, "", "", []string{"11.E(1)", "11.C(1)"}, Regulatory},
		"nothing is known of who asks": {familyRegulatory, "", "", nil, Regulatory},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, eventTypeOf(test.family, test.kind, test.by, test.items))
		})
	}
}

func TestFiledAgainst(t *testing.T) {
	t.Parallel()
	for filed, want := range map[string]FiledAgainst{
		"Firm": AgainstFirm, "FIRM": AgainstFirm, "You (the advisory firm)": AgainstFirm, "You": AgainstFirm,
		"Affiliates": AgainstAffiliate, "Affiliate": AgainstAffiliate, "One or more of your advisory affiliates": AgainstAffiliate,
		"Both": AgainstBoth, "You and one or more of your advisory affiliates": AgainstBoth, "Firm and affiliates": AgainstBoth,
	} {
		got := filedAgainst(filed)
		require.NotNil(t, got, filed)
		require.Equal(t, want, *got, filed)
	}
	require.Nil(t, filedAgainst(""))
	require.Nil(t, filedAgainst("Unknown"))
}

func TestSame(t *testing.T) {
	t.Parallel()
	base := func(change func(e *Event)) *Event {
		e := &Event{Source: "form_adv", EventType: Regulatory, EventDate: new("2021-02-19"), CaseNumber: new("2020-1"), InitiatedBy: new("FINRA")}
		change(e)
		return e
	}
	for name, test := range map[string]struct {
		change func(e *Event)
		want   bool
	}{
		"the same":                 {func(*Event) {}, true},
		"of one source":            {func(e *Event) { e.Source = "form_adv" }, false},
		"case written otherwise":   {func(e *Event) { e.CaseNumber, e.EventDate = new("2020/1"), nil }, true},
		"another case":             {func(e *Event) { e.CaseNumber = new("2020-2") }, false},
		"disciplinary there":       {func(e *Event) { e.EventType = Disciplinary }, true},
		"another proceeding":       {func(e *Event) { e.EventType = Civil }, false},
		"no case, same day and by": {func(e *Event) { e.CaseNumber = nil }, true},
		"no case, another day":     {func(e *Event) { e.CaseNumber, e.EventDate = nil, new("2021-02-20") }, false},
		"no case, no day":          {func(e *Event) { e.CaseNumber, e.EventDate = nil, nil }, false},
		"no case, full name": {func(e *Event) {
			e.CaseNumber, e.InitiatedBy = nil, new("Financial Industry Regulatory Authority, Inc. (FINRA)")
		}, true},
		"no case, long name": {func(e *Event) {
			e.CaseNumber, e.InitiatedBy = nil, new("Financial Industry Regulatory Authority, Inc.")
		}, true},
		"no case, by another": {func(e *Event) { e.CaseNumber, e.InitiatedBy = nil, new("NYSE") }, false},
		"no case, by nobody":  {func(e *Event) { e.CaseNumber, e.InitiatedBy = nil, nil }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			other := base(func(e *Event) {
				e.Source = "iapd"
				test.change(e)
			})
			one := base(func(*Event) {})
			require.Equal(t, test.want, same(one, other))
			require.Equal(t, test.want, same(other, one))
		})
	}
}
