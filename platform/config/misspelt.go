package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gpatlas/platform/plaintext"
)

// Misspelt is a variable of the environment that looks like a setting and is none.
type Misspelt struct{ Name, Nearest string }

// String reports so, with the setting that may be meant.
func (m Misspelt) String() string {
	return fmt.Sprintf("%s is not a setting; did you mean %s?", m.Name, m.Nearest)
}

// ofOthers are variables that platforms set: Kubernetes names the services of a namespace in them.
var ofOthers = regexp.MustCompile(`_SERVICE_(HOST|PORT)(_[A-Z0-9_]+)?=|_PORT_[0-9]+_(TCP|UDP)(_[A-Z]+)?=|_PORT=(tcp|udp)://`)

const (
	mistyped    = 2    // letters by which a name without one of our prefixes may differ from a setting's name
	mistypedMin = 8    // minimum length of such a name: short ones are similar by chance
	farthest    = 1000 // more letters than names have: a name with one of our prefixes always has a nearest
	otelPrefix  = "OTEL_"
)

// Unknown finds the variables of an environment that have a prefix of the target's sections, or almost the name of a setting,
// and that no setting of the target has. Empty ones are harmless.
func Unknown(environ []string, target any) []Misspelt {
	var names, prefixes []string
	for _, s := range sections(target) {
		// Other parts of OpenTelemetry have settings of their own.
		if s.prefix != "" && s.prefix != otelPrefix {
			prefixes = append(prefixes, s.prefix)
		}
		for _, v := range s.variables() {
			names = append(names, v.name)
		}
	}
	var list []Misspelt
	for _, line := range environ {
		name, value, _ := strings.Cut(line, "=")
		if value == "" || slices.Contains(names, name) || ofOthers.MatchString(line) {
			continue
		}
		meant := ""
		if len(name) >= mistypedMin {
			meant = plaintext.Nearest(name, names, mistyped)
		}
		for _, p := range prefixes {
			if meant == "" && strings.HasPrefix(name, p) {
				meant = plaintext.Nearest(name, slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !strings.HasPrefix(n, p) }), farthest)
			}
		}
		if meant != "" {
			list = append(list, Misspelt{name, meant})
		}
	}
	slices.SortFunc(list, func(a, b Misspelt) int { return strings.Compare(a.Name, b.Name) })
	return slices.Compact(list)
}
