package limit

// Tier is how many requests a key of one tier may send, as people read it.
type Tier struct {
	Name               string
	Burst, Minute, Day int64 // in 5 seconds, a minute and a day; 0 = without limit
}

// Tiers are those that a key may have, the lowest first.
func Tiers() []Tier {
	return []Tier{
		{"Starter", starter.burst, starter.minute, starter.day},
		{"Growth", growth.burst, growth.minute, growth.day},
		{"Scale", scale.burst, scale.minute, scale.day},
	}
}
