package title

// HiddenRules are the rules that never decide, for an earlier one takes their own words, or that have no source.
func HiddenRules() (hidden []string) {
	for _, r := range rules {
		for _, earlier := range rules {
			if earlier == r {
				break
			}
			if earlier.in(r.words) {
				hidden = append(hidden, r.words+"by"+earlier.words)
			}
		}
		if r.source == "" {
			hidden = append(hidden, r.words+"has no source")
		}
	}
	return hidden
}
