package schemajson

import "errors"

// defaultKeywords are the words that are values by themselves.
var defaultKeywords = []string{"NULL", "TRUE", "FALSE", "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP"}

// sqliteDefault wants one value and nothing after it, where a constraint could stand.
func sqliteDefault(f fragment) error {
	if size := f.constant(); size > 0 && size == len(f) {
		return nil
	}
	if size := f.group(); size > 2 && size == len(f) {
		return nil
	}
	return errors.New("must be one literal, a number, NULL, TRUE, FALSE, CURRENT_DATE, CURRENT_TIME, CURRENT_TIMESTAMP " +
		"or one expression in parentheses, with nothing after it")
}

// postgresDefault also takes a call of a function, and casts.
func postgresDefault(f fragment) error {
	size := f.constant()
	if size == 0 {
		size = f.call()
	}
	if group := f.group(); group > 2 {
		size = group
	}
	if size > 0 && f[size:].casts() {
		return nil
	}
	return errors.New("must be one literal, a number, a keyword such as NULL or CURRENT_TIMESTAMP, one call of a function, " +
		"or one expression in parentheses, with nothing after it but a cast")
}

// constant gives the number of tokens of the literal, signed number or keyword that f begins with; 0 when it does not.
func (f fragment) constant() int {
	switch first := f[0]; {
	case first.literal(), first.kind == numberToken:
		return 1
	case (first.sign("-") || first.sign("+")) && len(f) > 1 && f[1].kind == numberToken:
		return 2
	}
	for _, k := range defaultKeywords {
		if f[0].is(k) {
			return 1
		}
	}
	return 0
}

// call gives the number of tokens of the call name(…) or schema.name(…) that f begins with; 0 when it does not.
func (f fragment) call() int {
	size := f.qualifiedName()
	if size == 0 {
		return 0
	}
	arguments := f[size:].group()
	if arguments == 0 {
		return 0
	}
	return size + arguments
}

// qualifiedName gives the number of tokens of the name, dotted or not, that f begins with.
func (f fragment) qualifiedName() int {
	isName := func(i int) bool {
		return i < len(f) && (f[i].kind == wordToken || f[i].kind == quotedToken)
	}
	size := 0
	for isName(size) {
		if size++; size == len(f) || !f[size].sign(".") {
			return size
		}
		size++
	}
	return 0
}

// casts tells whether all of f is casts, none included: ::type, ::schema.type, ::type(10)[].
func (f fragment) casts() bool {
	for len(f) > 0 {
		if !f[0].sign("::") {
			return false
		}
		f = f[1:]
		size := f.qualifiedName()
		if size == 0 {
			return false
		}
		f = f[size:]
		f = f[f.group():]
		for size = f.subscript(); size > 0; size = f.subscript() {
			f = f[size:]
		}
	}
	return true
}

// isNull tells whether a default gives NULL and so is none: NULL itself, in parentheses or not.
func (f fragment) isNull() bool {
	for len(f) > 2 && f.group() == len(f) {
		f = f[1 : len(f)-1]
	}
	return len(f) > 0 && f[0].is("NULL") && f[1:].casts()
}
