package plaintext

// Nearest returns the candidate that differs from a word in the fewest letters, but in no more than most of them. Of several it
// returns the first; without any, "".
func Nearest(word string, candidates []string, most int) string {
	found := ""
	for _, c := range candidates {
		if d := Distance([]rune(word), []rune(c), most); d < most || d == most && found == "" {
			found, most = c, d
		}
	}
	return found
}

// longest is how many letters of a word are compared; longer words differ.
const longest = 40

// Distance counts letters that are wrong, missing, too many, or exchanged with their neighbor, up to most; more than that is
// most+1 (optimal string alignment).
func Distance(a, b []rune, most int) int {
	if len(a) > longest || len(b) > longest {
		return most + 1
	}
	var rows [3][longest + 1]int
	before, last, now := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		now[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			d := min(last[j]+1, now[j-1]+1)
			if a[i-1] == b[j-1] {
				d = min(d, last[j-1])
			} else {
				d = min(d, last[j-1]+1)
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			now[j] = d
			least = min(least, d)
		}
		if least > most {
			return most + 1
		}
		before, last, now = last, now, before
	}
	return last[len(b)]
}
