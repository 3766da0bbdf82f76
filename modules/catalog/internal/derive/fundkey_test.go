package derive_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/catalog/internal/derive"
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
