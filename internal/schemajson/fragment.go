package schemajson

import (
	"errors"
	"fmt"
	"iter"
	"strings"
)

// fragmentKind is what a piece of SQL claims to be, in the words of a message.
type fragmentKind string

const (
	dataType        fragmentKind = "the data type"
	defaultValue    fragmentKind = "the default"
	checkExpression fragmentKind = "the check expression"
	viewDefinition  fragmentKind = "the view definition"
	triggerAction   fragmentKind = "the trigger action"
)

const maxFragment = 256 << 10

// fragment is a piece of SQL taken apart.
type fragment []token

// fragment says why a piece of SQL is not certainly of its kind, and nothing more than that. What it lets pass can be put
// where its kind belongs in a statement, and is one part of that one statement.
func (r rules) fragment(kind fragmentKind, src string) error {
	f, err := r.read(kind, src)
	if err != nil {
		return fmt.Errorf("%s %w", kind, err)
	}
	switch kind {
	case dataType:
		err = r.types.check(f)
	case defaultValue:
		err = r.defaultValue(f)
	case checkExpression:
		err = checkCondition(f)
	case viewDefinition:
		err = checkQuery(f)
	case triggerAction:
		err = r.triggerAction(f)
	default:
		err = fmt.Errorf("is of a kind that has no check: %s", kind)
	}
	if err != nil {
		return fmt.Errorf("%s %w; it is %s", kind, err, excerpt(src))
	}
	return nil
}

// read takes a piece of SQL apart and checks what holds for every kind.
func (r rules) read(kind fragmentKind, src string) (fragment, error) {
	if len(src) > maxFragment {
		return nil, fmt.Errorf("is longer than %d KiB, more than a person reviews", maxFragment>>10)
	}
	tokens, err := r.lexicon.tokens(src)
	if err != nil {
		return nil, err
	}
	f := fragment(tokens)
	if len(f) == 0 {
		return nil, errors.New("is empty")
	}
	if err := f.balanced(); err != nil {
		return nil, err
	}
	if kind == triggerAction {
		return f, nil
	}
	for _, t := range f {
		switch {
		case t.kind == commentToken:
			return nil, fmt.Errorf("holds the comment %s, which could hide what follows it; take it out", excerpt(t.text))
		case t.sign(";"):
			return nil, errors.New(`holds a ";" outside quotes, which ends the statement; take it out`)
		}
	}
	return f, nil
}

// balanced checks that every bracket is closed, and none that was never opened, and that no statement ends inside.
func (f fragment) balanced() error {
	var open []string
	for _, t := range f {
		if t.kind != symbolToken {
			continue
		}
		switch t.text {
		case "(", "[":
			open = append(open, t.text)
		case ";":
			if len(open) > 0 {
				return errors.New(`holds a ";" in parentheses`)
			}
		case ")", "]":
			if len(open) == 0 || open[len(open)-1]+t.text != "()" && open[len(open)-1]+t.text != "[]" {
				return fmt.Errorf("closes a %q that it did not open", t.text)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("opens a %q that it does not close", open[len(open)-1])
	}
	return nil
}

// group gives the number of tokens in the parentheses that f begins with; 0 when it begins otherwise.
func (f fragment) group() int {
	depth := 0
	for i, t := range f {
		switch {
		case t.sign("("):
			depth++
		case t.sign(")"):
			depth--
		}
		if depth == 0 {
			if i == 0 {
				return 0
			}
			return i + 1
		}
	}
	return 0
}

// skip drops these keywords from the front if all of them are there.
func (f fragment) skip(keywords ...string) (fragment, bool) {
	if len(f) < len(keywords) {
		return f, false
	}
	for i, k := range keywords {
		if !f[i].is(k) {
			return f, false
		}
	}
	return f[len(keywords):], true
}

// outer gives the tokens outside all parentheses, the outermost ones included, with their places.
func (f fragment) outer() iter.Seq2[int, token] {
	return func(yield func(int, token) bool) {
		depth := 0
		for i, t := range f {
			if t.sign(")") {
				depth--
			}
			if depth == 0 && !yield(i, t) {
				return
			}
			if t.sign("(") {
				depth++
			}
		}
	}
}

// follows tells whether the token before this one is that character.
func (f fragment) follows(i int, character string) bool {
	return i > 0 && f[i-1].sign(character)
}

// checkCondition relies on balanced for what matters: the condition cannot close the parenthesis it is put in.
func checkCondition(f fragment) error {
	for _, t := range f.outer() {
		if t.sign(",") {
			return errors.New("must be one condition, without a comma")
		}
	}
	return nil
}

// checkQuery wants a query: SELECT or VALUES, or WITH and then one of these. What a WITH is for is the first word after
// its closing parenthesis that is not AS.
func checkQuery(f fragment) error {
	query := f[0]
	if f[0].is("WITH") {
		for i, t := range f.outer() {
			if f.follows(i, ")") && t.kind == wordToken && !t.is("AS") {
				query = t
				break
			}
		}
	}
	if query.is("SELECT") || query.is("VALUES") {
		return nil
	}
	return errors.New("must be a query: SELECT, VALUES, or WITH and then one of these")
}

// typeShape is what the dialect allows in a type besides words and one list of numbers in parentheses.
type typeShape struct {
	quoted        bool // "Mood", public.mood
	arrays        bool // integer[]
	wordArguments bool // geometry(Point, 4326)
	wordsAfter    bool // timestamp(3) with time zone
}

// constraintWords begin something that is no part of a type, or are quietly taken out of one by an engine.
var constraintWords = strings.Fields(`ALWAYS AS AUTOINCREMENT AUTO_INCREMENT CHECK COLLATE COMPRESSION CONFLICT CONSTRAINT
	DEFAULT DEFERRABLE EXCLUDE FOREIGN GENERATED IDENTITY INITIALLY KEY MATCH NOT NULL ON OPTIONS PRIMARY REFERENCES STORAGE
	STORED UNIQUE USING VIRTUAL`)

func (s typeShape) check(f fragment) error {
	if f[0].kind != wordToken && !(s.quoted && f[0].kind == quotedToken) {
		return errors.New("must begin with the name of a type")
	}
	lists := 0
	for i := 0; i < len(f); i++ {
		t := f[i]
		switch {
		case t.kind == wordToken && lists > 0 && !s.wordsAfter:
			return fmt.Errorf("must end with its list in parentheses, not with %s", excerpt(t.text))
		case t.kind == wordToken:
			if err := checkTypeWord(t); err != nil {
				return err
			}
		case t.sign("(") && lists == 0:
			lists++
			size := f[i:].group()
			if err := s.checkArguments(f[i+1 : i+size-1]); err != nil {
				return err
			}
			i += size - 1
		case t.kind == quotedToken && s.quoted, t.sign(".") && s.quoted:
		case t.sign("[") && s.arrays:
			size := f[i:].subscript()
			if size == 0 {
				return errors.New("may hold only a number between [ and ]")
			}
			i += size - 1
		default:
			return fmt.Errorf("may hold words and one list in parentheses, not %s", excerpt(t.text))
		}
	}
	return nil
}

// subscript gives the number of tokens of the [] or [3] that f begins with; 0 when it is another.
func (f fragment) subscript() int {
	switch {
	case len(f) > 1 && f[0].sign("[") && f[1].sign("]"):
		return 2
	case len(f) > 2 && f[0].sign("[") && f[1].kind == numberToken && f[2].sign("]"):
		return 3
	}
	return 0
}

// checkTypeWord keeps to plain letters: a blank beyond ASCII is a letter to an engine and a blank to a reader.
func checkTypeWord(t token) error {
	for _, word := range constraintWords {
		if t.is(word) {
			return fmt.Errorf("may not hold %s: it is no part of a type; constraints have keys of their own, "+
				"and what has no key can only be declared as SQL", word)
		}
	}
	for _, c := range []byte(t.text) {
		if c >= 0x80 || c == '$' {
			return fmt.Errorf("may hold only words of plain letters, digits and _, not %s", excerpt(t.text))
		}
	}
	return nil
}

func (s typeShape) checkArguments(f fragment) error {
	for _, t := range f {
		switch {
		case t.kind == numberToken, t.sign(","), t.sign("+"), t.sign("-"):
		case t.kind == wordToken && s.wordArguments:
		default:
			return fmt.Errorf("may hold only numbers in its parentheses, not %s", excerpt(t.text))
		}
	}
	if len(f) == 0 {
		return errors.New("has empty parentheses")
	}
	return nil
}
