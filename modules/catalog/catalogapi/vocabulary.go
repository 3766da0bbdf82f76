package catalogapi

// Vocabulary reads the words that filters are written in, as the searches read them.
type Vocabulary interface {
	// Strategies expands a strategy or an alias, in any letter case, into the strategies that it stands for ("PE" is three);
	// false when it is neither.
	Strategies(word string) ([]string, bool)
	// StrategyNames lists every strategy, StrategyAliases the documented aliases.
	StrategyNames() []string
	StrategyAliases() []string
	// Country gives the ISO 3166 alpha-2 code of a country named by its code (UK and GB mean the same) or by one of its names.
	Country(word string) (code string, ok bool)
	// CountryNames lists the names that Country knows.
	CountryNames() []string
	// FilesCountry reports of a name without a code whether the served catalog has an adviser in a country of that name. While
	// nothing is served yet every name may be one.
	FilesCountry(name string) bool
}
