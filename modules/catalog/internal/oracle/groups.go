package oracle

import (
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
)

// pairs renders groups as rows of a field and each other field of its group.
func pairs(groups []catalogapi.Group) string {
	var rows []string
	for _, g := range groups {
		for _, field := range g.Fields {
			for _, other := range g.Fields {
				if other != field {
					rows = append(rows, "("+literal(field)+", "+literal(other)+")")
				}
			}
		}
	}
	return strings.Join(rows, ", ")
}

// unasked renders the statements that take out what funds were completed by, but are not asked for.
func unasked() string {
	var statements strings.Builder
	for _, g := range catalogapi.FundGroups {
		if g.Asks == "" {
			continue
		}
		for _, field := range g.Fields[1:] {
			statements.WriteString("UPDATE n_pick SET " + field + " = NULL WHERE " + field + " IS NOT NULL AND " + literal(field) +
				" = ANY (silent) AND upper(" + g.Fields[0] + "::text) <> upper(" + literal(g.Asks) + ");\n")
		}
	}
	return statements.String()
}

// adviserGroups are the parameters of the groups of an adviser's fields.
func adviserGroups() []string {
	var fields, literals []string
	for _, g := range catalogapi.AdviserGroups {
		fields = slices.Concat(fields, g.Fields)
	}
	for _, field := range fields {
		literals = append(literals, literal(field))
	}
	return []string{
		"$group_columns$", list("", fields), "$r_group_columns$", list("r.", fields),
		"$group_fields$", strings.Join(literals, ", "), "$groups$", pairs(catalogapi.AdviserGroups),
	}
}
