package syntax

// window reads what stands in parentheses after over.
func (p *parser) window() *Window {
	w := &Window{}
	p.expect("(")
	if p.take("partition") {
		p.expect("by")
		for {
			w.Partition = append(w.Partition, p.expression())
			if !p.take(",") {
				break
			}
		}
	}
	if p.take("order") {
		w.Order = p.orderBy()
	}
	if p.is("rows") || p.is("range") {
		f := &Frame{Unit: p.next().word}
		if p.take("between") {
			f.Start = p.bound()
			p.expect("and")
			f.End = p.bound()
		} else {
			f.Start = p.bound()
		}
		w.Frame = f
	}
	p.expect(")")
	return w
}

func (p *parser) bound() Bound {
	switch {
	case p.take("unbounded", "preceding"):
		return Bound{Kind: "unbounded preceding"}
	case p.take("unbounded", "following"):
		return Bound{Kind: "unbounded following"}
	case p.take("current", "row"):
		return Bound{Kind: "current row"}
	}
	b := Bound{Value: p.expression()}
	switch {
	case p.take("preceding"):
		b.Kind = "preceding"
	case p.take("following"):
		b.Kind = "following"
	default:
		p.want("`preceding` or `following`")
	}
	return b
}

// orderBy reads `by term {, term}`.
func (p *parser) orderBy() []*Order {
	p.expect("by")
	var list []*Order
	for {
		o := &Order{Expr: p.expression()}
		if !p.take("asc") {
			o.Desc = p.take("desc")
		}
		if p.take("nulls") {
			switch {
			case p.take("first"):
				o.Nulls = "first"
			case p.take("last"):
				o.Nulls = "last"
			default:
				p.want("`first` or `last`")
			}
		}
		list = append(list, o)
		if !p.take(",") {
			return list
		}
	}
}
