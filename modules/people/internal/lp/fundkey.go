package lp

import (
	"context"
	_ "embed"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/people/internal/name"
	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/database"
)

//go:embed spelled.sql
var spelledSQL string

const unifySQL = `UPDATE lp_list n SET fund_key = r.now
FROM unnest(@lps::text[], @states::text[], @funds::text[], @now::text[]) AS r (name_key, state, fund_key, now)
WHERE (n.name_key, n.state, n.fund_key) = (r.name_key, r.state, r.fund_key)`

// spelling is how a list writes the name of an LP's fund on a day.
type spelling struct {
	NameKey, State, FundKey, Fund string
	RunID                         int64 // 0: the staged list
	AsOf                          time.Time
}

// unify gives the funds of a staged list one key if their names differ in case, punctuation and legal form only, in the list or from stored ones.
func (s *store) unify(ctx context.Context) error {
	all, err := database.Select[spelling](ctx, s.db, "read the names of funds", spelledSQL, nil)
	if err != nil {
		return err
	}
	type fund struct{ lp, state, core string }
	of := map[fund]*spellings{}
	for _, n := range all {
		core, form := fundCore(n.Fund)
		f := fund{n.NameKey, n.State, core}
		if of[f] == nil {
			of[f] = &spellings{stored: map[string][]string{}, standing: map[standing]string{}}
		}
		of[f].add(n, form)
	}
	var lps, states, from, to []string
	for f, names := range of {
		for _, key := range names.listed {
			if now := names.key(key); now != key {
				lps, states, from, to = append(lps, f.lp), append(states, f.state), append(from, key), append(to, now)
			}
		}
	}
	if len(from) == 0 {
		return nil
	}
	_, err = database.Run(ctx, s.db, "unify the names of funds", unifySQL, database.Args{"lps": lps, "states": states, "funds": from, "now": to})
	return err
}

// spellings are names of an LP's funds that differ in case, punctuation and legal form only.
type spellings struct {
	listed   []string            // in the staged list
	stored   map[string][]string // of each stored fund, by its key
	standing map[standing]string
	form     string
	several  bool // the names are of several funds, as far as is known,
	beside   bool // even those of the staged list
}

// standing is a day in a list.
type standing struct {
	run int64
	day time.Time
}

func (s *spellings) add(n spelling, form string) {
	name, at := peopleapi.Key(n.Fund), standing{n.RunID, n.AsOf}
	if other, known := s.standing[at]; known && other != name {
		s.several, s.beside = true, s.beside || n.RunID == 0
	}
	s.standing[at] = name
	if form != "" && s.form != "" && form != s.form {
		s.several = true
	}
	if form != "" {
		s.form = form
	}
	if n.RunID == 0 {
		s.listed = with(s.listed, name)
	} else {
		s.stored[n.FundKey] = with(s.stored[n.FundKey], name)
	}
}

func with(names []string, name string) []string {
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

// key returns the key of a fund of the staged list. Names are one fund's if no two of them stand on one day of a list, and their legal forms do not
// contradict each other. Otherwise they may be parallel vehicles: each is then the fund that was called so before, or a new one.
//
// Spec: not shown; lists name funds in words alone.
func (s *spellings) key(name string) string {
	var keys []string
	for key, names := range s.stored {
		if !s.several || key == name || slices.Contains(names, name) && !s.beside {
			keys = append(keys, key)
		}
	}
	switch {
	case !s.several && len(keys) == 0:
		return slices.Min(s.listed)
	case !s.several || len(keys) == 1:
		return slices.Min(keys)
	default:
		return name
	}
}

// fundCore splits the name of a fund into what distinguishes it, with Roman numerals as numbers, and its legal form. Words in parentheses and fillers
// stay, because the funds of one LP differ in them.
func fundCore(text string) (core, form string) {
	all := catalogapi.WithShortForm(strings.Fields(name.Fold(text)))
	list := slices.Clone(catalogapi.WithoutFormsAtEnd(all))
	for i, w := range list {
		if n, ok := roman[w]; ok && i > 0 {
			list[i] = n
		}
	}
	return key(list), shortForms.Replace(strings.ToUpper(key(all[len(list):])))
}

// shortForms writes the words of legal forms in the short way.
var shortForms = strings.NewReplacer("LIMITED", "LTD", "INCORPORATED", "INC", "CORPORATION", "CORP", "COMPANY", "CO")
