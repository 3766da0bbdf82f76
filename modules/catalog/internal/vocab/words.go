package vocab

// Words is the vocabulary as a value, for those who are handed it behind an interface (catalogapi.Vocabulary).
type Words struct{}

// Strategies is ExpandStrategy.
func (Words) Strategies(word string) ([]string, bool) { return ExpandStrategy(word) }

// StrategyNames is Strategies.
func (Words) StrategyNames() []string { return Strategies() }

// StrategyAliases is StrategyAliases.
func (Words) StrategyAliases() []string { return StrategyAliases() }

// Country is CountryCode.
func (Words) Country(word string) (string, bool) { return CountryCode(word) }
