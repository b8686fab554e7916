package bot

// again asks for a run, and there is nothing to it but the run that its comment starts.
func again() command {
	return command{name: "plan", usage: "/plan", meaning: "plans again", hear: func(*conversation, utterance) {}}
}
