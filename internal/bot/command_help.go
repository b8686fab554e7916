package bot

// help has the commands listed in the plan comment.
func help() command {
	return command{name: "help", usage: "/help", meaning: "lists the commands", hear: func(c *conversation, _ utterance) { c.wantHelp = true }}
}
