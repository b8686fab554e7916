package bot

// unapprove takes back what its writer approved before.
func unapprove() command {
	return command{
		name:    "unapprove",
		usage:   "/unapprove",
		meaning: "takes your approvals back",
		hear:    func(c *conversation, u utterance) { c.takenBack = append(c.takenBack, u) },
	}
}

// takesBack tells whether a person's word voids an earlier one. Unlike an approval it counts in an edited comment too, from the time of
// the edit: in doubt, no.
func takesBack(back, given utterance) bool {
	if !same(back.comment.Author, given.comment.Author) {
		return false
	}
	if back.comment.Edited() {
		return !given.comment.Created.After(back.comment.Updated)
	}
	return given.compare(back) < 0
}
