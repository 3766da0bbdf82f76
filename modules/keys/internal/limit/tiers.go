package limit

// Tier is the limits of keys of one tier, for the page.
type Tier struct {
	Name               string
	Burst, Minute, Day int64 // in 5 seconds, a minute and a day; 0 = without limit
}

// Tiers are the tiers of keys, the lowest first.
func Tiers() []Tier {
	return []Tier{
		{"Starter", starter.burst, starter.minute, starter.day},
		{"Growth", growth.burst, growth.minute, growth.day},
		{"Scale", scale.burst, scale.minute, scale.day},
	}
}
