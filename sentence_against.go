package tidemark

import "strconv"

// compares says which side of what is wrong.
func (c *Condition) compares(s Sentence, unit string) Sentence {
	quantity := func(s Sentence) Sentence {
		if c.Threshold == nil {
			return s
		}
		unit := c.Unit(unit)
		return append(s, Part{PartQuantity, Quantity(*c.Threshold, unit), c.Threshold, unit})
	}
	g := c.Against
	if g == nil {
		s = s.say(PartVerb, c.Type)
		if c.Type != Absent && c.Threshold != nil {
			s = quantity(s.say(PartWords, " "))
		}
		return s
	}
	switch g.Kind {
	case AgainstPast:
		return c.comparesPast(s, quantity)
	case AgainstChange:
		s = s.say(PartVerb, map[string]string{Above: "rises", Below: "falls"}[c.Type]).say(PartWords, " by more than ")
		return quantity(s).say(PartWords, " within "+g.Period.String())
	case AgainstBudget:
		s = quantity(s.say(PartVerb, "burns its error budget").say(PartWords, " more than "))
		good := g.Good
		if g.Below != nil {
			good = "at most " + Quantity(*g.Below, unit)
		}
		s = s.say(PartWords, " as fast as allowed over "+g.Period.String()+" and "+g.Short().String()+", "+percent(g.Objective)+" are to be "+good)
		if g.WithoutMaintenance {
			s = s.say(PartWords, ", without maintenance")
		}
		return s
	}
	return c.comparesBand(s, quantity)
}

func (c *Condition) comparesPast(s Sentence, quantity func(Sentence) Sentence) Sentence {
	g := c.Against
	if g.Absolute {
		s = s.say(PartWords, "more than ")
		return quantity(s).say(PartWords, " ").say(PartVerb, c.Type).say(PartWords, " "+ago(g.Period))
	}
	s = s.say(PartVerb, c.Type).say(PartWords, " ")
	return quantity(s).say(PartWords, " of "+ago(g.Period))
}

func (c *Condition) comparesBand(s Sentence, quantity func(Sentence) Sentence) Sentence {
	g := c.Against
	verb := map[string]string{Above: "rises above its usual band", Below: "falls below its usual band"}[c.Type]
	if g.Both {
		verb = "leaves its usual band"
	}
	s = quantity(s.say(PartVerb, verb).say(PartWords, " of "))
	if g.Least != nil && *g.Least > 0 {
		s = s.say(PartWords, ", at least "+Quantity(*g.Least, ""))
	}
	by := map[string]string{HourOfWeek: "hour of the week", HourOfDay: "hour of the day"}[g.Season()]
	s = s.say(PartWords, ", learned from "+strconv.Itoa(g.LearnedWeeks())+" weeks by "+by)
	switch n := len(g.Days); n {
	case 0:
		return s
	case 1:
		return s.say(PartWords, " without an unusual day")
	default:
		return s.say(PartWords, " without "+strconv.Itoa(n)+" unusual days")
	}
}

// ago names the time that readings are compared with.
func ago(s Seconds) string {
	switch s {
	case day:
		return "the same time the day before"
	case 7 * day:
		return "the same time last week"
	}
	return "the same time " + s.String() + " before"
}

func percent(v *float64) string {
	if v == nil {
		return "all"
	}
	return Quantity(*v, "%")
}
