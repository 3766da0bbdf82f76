package title_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/people/internal/title"
)

// TestRead maps titles as filings write them.
func TestRead(t *testing.T) {
	t.Parallel()
	for want, titles := range map[title.Role][]string{
		title.Partner: {
			"FOUNDER", "CO-FOUNDER & CIO", "MANAGING PARTNER", "General Partner", "PARTNER", "SENIOR PARTNER", "MANAGING MEMBER", "SOLE MANAGING MEMBER",
			"CHIEF EXECUTIVE OFFICER", "C.E.O.", "CO-CEO", "PRESIDENT", "PRESIDENT AND SECRETARY", "GENERAL AND LIMITED PARTNER", "PARTNER/CFO",
			"DIRECTOR, CHAIRMAN, PRESIDENT AND CHIEF EXECUTIVE OFFICER", "PRESIDENT OF THE GENERAL PARTNER", "VICE PRESIDENT; MANAGING MEMBER", "FOUNDING MEMBER",
			"OPERATIONS PRINCIPAL, PARTNER",
		},
		title.MD: {
			"MANAGING DIRECTOR", "M.D.", "EXECUTIVE DIRECTOR", "SENIOR MANAGING DIRECTOR", "CHIEF FINANCIAL OFFICER", "CFO", "CHIEF COMPLIANCE OFFICER",
			"CHIEF COMPLIANCE OFFICER (IA ONLY )", "CHIEF COMPLIANCE OFFICER (BD ONLY)", "CCO", "GENERAL COUNSEL", "HEAD OF INVESTOR RELATIONS", "GLOBAL HEAD, CREDIT",
			"VP & GENERAL COUNSEL", "MANAGING PRINCIPAL", "CHIEF INVESTMENT AND OPERATING OFFICER", "MANAGING DIRECTOR OF THE GENERAL PARTNER",
		},
		title.VP: {
			"VICE PRESIDENT", "SENIOR VICE PRESIDENT", "SVP", "V.P.", "VICE-PRESIDENT", "EXECUTIVE VICE PRESIDENT, SECRETARY", "DIRECTOR", "PRINCIPAL",
			"SENIOR PRINCIPAL", "NON-EXECUTIVE DIRECTOR", "INDEPENDENT DIRECTOR", "MEMBER OF THE BOARD OF DIRECTORS", "DIRECTOR OF COMPLIANCE", "PRINCIPAL/ OWNER",
			"VICE PRESIDENT OF THE PRESIDENT'S OFFICE",
		},
		title.Associate: {"ASSOCIATE", "SENIOR ASSOCIATE", "INVESTMENT ANALYST", "ASSOCIATE DIRECTOR", "AVP", "ASSISTANT VICE PRESIDENT"},
		title.Other: {
			"", "MEMBER", "SHAREHOLDER", "LIMITED PARTNER", "LP", "TEXAS DESIGNATED PRINCIPAL", "PRINCIPAL OPERATIONS OFFICER", "PRINCIPAL FINANCIAL OFFICER",
			"FINANCIAL AND OPERATIONS PRINCIPAL", "FINOP", "GENERAL SECURITIES PRINCIPAL", "REGISTERED OPTIONS PRINCIPAL", "SECRETARY", "TREASURER", "(IA ONLY)",
			"DEPUTY CHIEF COMPLIANCE OFFICER", "ASSISTANT TO THE PRESIDENT", "ADVISER TO THE MANAGING PARTNER", "FORMER PARTNER", "ELECTED MANAGER", "TRUSTEE",
			"CHIEF OF STAFF", "MANAGER OF THE MANAGING MEMBER", "PARTNERSHIP REPRESENTATIVE", ",,/&", "CONTROLLER", "OWNER", "MANAGER, MOSSGATE PARTNERS LP",
		},
	} {
		for _, filed := range titles {
			require.Equal(t, want, title.Read(filed), filed)
			require.Equal(t, want, title.Read(strings.ToLower(filed)), filed)
		}
	}
}

// TestEveryRuleCounts finds rules that another one hides, and rules without a source.
func TestEveryRuleCounts(t *testing.T) {
	t.Parallel()
	require.Empty(t, title.HiddenRules())
}

func TestLevels(t *testing.T) {
	t.Parallel()
	var levels []string
	for i, r := range title.Roles() {
		require.Equal(t, i, r.Rank())
		levels = append(levels, r.Level())
	}
	require.Equal(t, []string{"senior", "senior", "mid", "junior", "staff"}, levels)
}

// FuzzRead never panics; a further title never lowers a role, and the order of titles does not matter.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"PRESIDENT", "VICE PRESIDENT, MEMBER", "GENERAL AND LIMITED PARTNER", "CHIEF COMPLIANCE OFFICER (IA ONLY )", "HEAD OF", " OF ", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, filed string) {
		role := title.Read(filed)
		require.Contains(t, title.Roles(), role)
		require.LessOrEqual(t, title.Read(filed+"; ANALYST").Rank(), min(role.Rank(), title.Associate.Rank()))
		backward := strings.Split(filed, ";")
		slices.Reverse(backward)
		if !strings.ContainsAny(strings.ToUpper(filed), "&/,+|") && !strings.Contains(strings.ToUpper(filed), "LIMITED") {
			require.Equal(t, role, title.Read(strings.Join(backward, ";")))
		}
	})
}
