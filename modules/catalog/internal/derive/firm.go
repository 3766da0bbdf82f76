package derive

// Firm has the values by which advisers are grouped into organizations.
type Firm struct {
	Domain string // of its website (WebsiteDomain); may be empty
	Stem   string // of its name (NameStem); may be empty
}

// Tied reports whether two advisers are one organization by themselves: they share domain and stem, or one names the other as
// a related person that it controls or is under common control with (related) and they share either. load.regroup groups
// all advisers by this rule.
func (f Firm) Tied(other Firm, related bool) bool {
	domain, stem := f.Domain != "" && f.Domain == other.Domain, f.Stem != "" && f.Stem == other.Stem
	return domain && stem || related && (domain || stem)
}
