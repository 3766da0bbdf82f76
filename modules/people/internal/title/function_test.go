package title_test

import (
	_ "embed"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/people/internal/title"
)

// labelled are titles as real filings state them: all that differ in the SEC's roster of exempt reporting advisers of July 2024 and in
// samples of schedules, without those that contain a name. A reader checked the functions
// beside each, and corrected those of misread.
//
//go:embed testdata/functions.tsv
var labelled string

// misread are those that the table reads otherwise: misspelled words, an abbreviation, and departments after a comma, which
// separates titles.
var misread = []string{
	"CHIEF COMPKIANCE OFFICER", "DIRECTOR, COMPLIANCE", "DIRECTOR, GROUP COMPLIANCE", "GENERAL LEGAL COUNSEL", "SEC/DIRECTOR", "SENIOR PARNTET",
}

// V30: the functions of real titles are those that a reader sees in them, but for a few that are listed.
func TestFunctionsOfRealTitles(t *testing.T) {
	t.Parallel()
	all, wrong := 0, []string{}
	for line := range strings.Lines(labelled) {
		filed, want, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		require.True(t, ok, line)
		all++
		if got := strings.Join(title.ReadFunctions(filed), ","); got != want {
			wrong = append(wrong, filed)
		}
		require.Equal(t, title.ReadFunctions(filed), title.ReadFunctions(strings.ToLower(filed)))
	}
	require.Greater(t, all, 480)
	require.Equal(t, misread, wrong)
}

// Titles that the roster lacks: other entities, departments, deputies, former holders, and marks between words.
func TestReadFunctions(t *testing.T) {
	t.Parallel()
	for filed, want := range map[string]string{
		"":                                               "",
		"VICE CHAIRMAN":                                  "",
		"CHAIR OF THE INVESTMENT COMMITTEE":              "",
		"CHAIRMAN OF THE BOARD OF DIRECTORS":             "chair",
		"MEMBER OF THE BOARD OF DIRECTORS":               "director",
		"MEMBER OF THE ADVISORY BOARD":                   "",
		"INDEPENDENT NON-EXECUTIVE DIRECTOR":             "director",
		"EXECUTIVE DIRECTOR":                             "",
		"DIRECTOR OF THE COMPANY":                        "director",
		"DIRECTOR OF INVESTOR RELATIONS":                 "ir",
		"VICE PRESIDENT, INVESTOR RELATIONS":             "ir",
		"CHIEF FINANCIAL OFFICER OF MOSSGATE HOLDINGS":   "",
		"CFO OF THE GENERAL PARTNER":                     "",
		"CHIEF EXECUTIVE OFFICER OF THE ADVISER":         "ceo",
		"FORMER CHIEF FINANCIAL OFFICER":                 "",
		"EX-PARTNER":                                     "",
		"ASSISTANT TREASURER AND SECRETARY":              "secretary",
		"CHIEF OF STAFF TO THE CEO":                      "",
		"CHIEF INVESTMENT AND OPERATING OFFICER":         "cio,coo",
		"CHIEF INFORMATION OFFICER":                      "",
		"CHIEF TECHNOLOGY OFFICER":                       "cto",
		"LIMITED PARTNER":                                "limited_partner",
		"CLASS B LIMITED PARTNER":                        "limited_partner",
		"MANAGER, MOSSGATE PARTNERS LP":                  "",
		"GENERAL AND LIMITED PARTNER":                    "partner,limited_partner",
		"SILENT PARTNER":                                 "",
		"PARTNERSHIP REPRESENTATIVE":                     "",
		"HEAD TRADER":                                    "",
		"CO-HEAD OF CREDIT":                              "head",
		"ASSOCIATE PORTFOLIO MANAGER":                    "",
		"MANAGER OF THE MANAGING MEMBER":                 "",
		"C.E.O.; Founder":                                "founder,ceo",
		"FOUNDING MEMBER & MANAGING MEMBER / TREASURER":  "founder,managing_member,treasurer",
		"PRESIDENT, SECRETARY, TREASURER, SOLE DIRECTOR": "president,secretary,treasurer,director",
	} {
		require.Equal(t, want, strings.Join(title.ReadFunctions(filed), ","), filed)
	}
}

// Each function is one of the list, once, in its order, whatever a title contains.
func FuzzReadFunctions(f *testing.F) {
	f.Add("PARTNER/CFO AND FOUNDER")
	f.Fuzz(func(t *testing.T, filed string) {
		last := -1
		for _, function := range title.ReadFunctions(filed) {
			at := slices.Index(title.Functions(), function)
			require.Greater(t, at, last)
			last = at
		}
	})
}
