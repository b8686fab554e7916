package syntax

// nearest gives the known word that a misspelt one was most likely meant to be; empty when none is near.
func nearest(found string, known []string) string {
	best, least := "", 3
	if len(found) < 4 {
		least = 2
	}
	if len(found) > 40 {
		return ""
	}
	for _, k := range known {
		if d := distance(found, k); d < least {
			best, least = k, d
		}
	}
	return best
}

// distance counts the letters to add, drop, change or swap with the next one.
func distance(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	var last []int
	for i := 1; i <= len(a); i++ {
		last, before, row = before, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := before[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(change, before[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], last[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
