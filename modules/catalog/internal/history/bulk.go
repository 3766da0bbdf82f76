package history

// Newer says whether filing a stands behind b, in the order in which versions are folded.
func Newer(a, b *Filing) bool { return order(a, b) > 0 }
