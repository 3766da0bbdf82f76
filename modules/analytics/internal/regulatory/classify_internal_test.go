package regulatory

import (
	"testing"

	"github.com/stretchr/testify/require"
)

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
