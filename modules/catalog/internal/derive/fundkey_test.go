package derive_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/text"
)

func TestNameKey(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]derive.FundKey{
		"JUNIPER VALE FUND II, L.P.":                          {Name: "juniper vale fund ii", Form: "lp"},
		"Juniper Vale Fund II LP":                             {Name: "juniper vale fund ii", Form: "lp"},
		"Juniper Vale Fund II, Limited Partnership":           {Name: "juniper vale fund ii", Form: "lp"},
		"Juniper Vale Fund II, L. P.":                         {Name: "juniper vale fund ii", Form: "lp"},
		"Juniper Vale Fund III LP":                            {Name: "juniper vale fund iii", Form: "lp"},
		"Juniper Vale Fund II (Offshore) Ltd.":                {Name: "juniper vale fund ii offshore", Form: "ltd"},
		"Juniper Vale Fund II Limited":                        {Name: "juniper vale fund ii", Form: "ltd"},
		"Juniper Vale Fund II, L.P. (In Liquidation)":         {Name: "juniper vale fund ii", Form: "lp"},
		"Juniper Vale Fund II (in voluntary liquidation) Ltd": {Name: "juniper vale fund ii", Form: "ltd"},
		"The Juniper Vale Fund":                               {Name: "the juniper vale fund"},
		"JV Direct Lending Fund IV, LP":                       {Name: "jv direct lending fund iv", Form: "lp"},
		"JV Fund LP":                                          {Form: "lp"},
		"JV Co., Ltd.":                                        {Form: "ltd"},
		"Tern & Lark Partners, L.L.C.":                        {Name: "tern and lark partners", Form: "llc"},
		"Tërn and Lark Partners LLC":                          {Name: "tern and lark partners", Form: "llc"},
		"Tern Lark Series of Quill LLC":                       {Name: "tern lark series of quill", Form: "llc"},
		"Tern Lark Series 4":                                  {Name: "tern lark series 4"},
		"European Hedge Fund LP":                              {Form: "lp"},
		"Emerging Markets Equity Fund":                        {},
		"Global Opportunities Fund IV, L.P.":                  {Form: "lp"},
		"Juniperus":                                           {},
		"Juniperus LP":                                        {Form: "lp"},
		"Fund 2021":                                           {},
		"LLC":                                                 {},
		"":                                                    {},
		"L.P.":                                                {},
	} {
		require.Equal(t, want, derive.NameKey(name), name)
	}
}

// A legal form in words is the same as its short form, behind the names of funds and of firms.
func TestSpelledForms(t *testing.T) {
	t.Parallel()
	for _, f := range catalogapi.SpelledForms() {
		full := strings.Join(f.Words, " ")
		for _, form := range []string{full, strings.ToUpper(full), strings.NewReplacer("company", "Co.", "corporation", "Corp.").Replace(full)} {
			spelled, short := "Tern Lark IV, "+form, "Tern Lark IV, "+f.Short
			require.Equal(t, derive.NameKey(short), derive.NameKey(spelled), form)
			require.Equal(t, derive.NameStem(short), derive.NameStem(spelled), form)
			require.Equal(t, text.Key(short), text.Key(spelled), form)
			require.NotEqual(t, catalogapi.NoForm, catalogapi.LegalFormOf(f.Short), form)
			require.Equal(t, []string{"Tern"}, catalogapi.WithoutFormsAtEnd(append([]string{"Tern"}, text.Words(form)...)), form)
		}
		require.NotEmpty(t, catalogapi.WithoutFormsAtEnd(f.Words), "a name stays")
	}
	require.Equal(t, "alder", derive.NameStem("Alder Limited Liability Company"))
}

// A name that is written otherwise, but says the same, has the same key; the key of a key is itself.
func TestNameKeyIsStable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.String().Draw(t, "name")
		key := derive.NameKey(name)
		require.Equal(t, key, derive.NameKey(" "+name+"  "))
		again := derive.NameKey(key.Name + " " + key.Form)
		if key.Name != "" && key.Form != "" {
			require.Equal(t, key, again)
		}
	})
}
