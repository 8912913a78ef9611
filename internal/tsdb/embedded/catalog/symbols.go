package catalog

import "maps"

import "github.com/tidemark-metrics/tidemark"

// symbols are the names and values of tags, each kept once and counted: a text
// that no stream uses any longer is given back. It counts as memory of the
// organization that used it first.
type symbols struct {
	of    map[string]uint32
	texts []string // by symbol; symbol 0 is "absent"
	uses  []uint32 // by symbol
	owner []tidemark.OrgID
	free  []uint32 // symbols that can be used again
	peak  int      // the most there were since the map was made
}

func newSymbols() symbols {
	return symbols{of: map[string]uint32{}, texts: []string{""}, uses: []uint32{0}, owner: []tidemark.OrgID{0}}
}

func (s *symbols) find(text []byte) (uint32, bool) {
	symbol, ok := s.of[string(text)]
	return symbol, ok
}

// use returns the symbol of a text, new if need be, and counts the use.
func (c Edit) use(org tidemark.OrgID, text []byte) uint32 {
	s := &c.symbols
	symbol, known := s.find(text)
	if !known {
		symbol = s.add(org, string(text))
		c.orgs[org].bytes += int64(len(text))
	}
	s.uses[symbol]++
	return symbol
}

func (s *symbols) add(org tidemark.OrgID, text string) uint32 {
	symbol := uint32(len(s.texts))
	if n := len(s.free); n > 0 {
		symbol, s.free = s.free[n-1], s.free[:n-1]
		s.texts[symbol], s.owner[symbol] = text, org
	} else {
		s.texts, s.uses, s.owner = append(s.texts, text), append(s.uses, 0), append(s.owner, org)
	}
	s.of[text] = symbol
	s.peak = max(s.peak, len(s.of))
	return symbol
}

// release takes one use back.
func (c Edit) release(symbol uint32) {
	s := &c.symbols
	if symbol == 0 {
		return
	}
	if s.uses[symbol]--; s.uses[symbol] > 0 {
		return
	}
	text := s.texts[symbol]
	if o := c.orgs[s.owner[symbol]]; o != nil {
		o.bytes -= int64(len(text))
		c.forget(s.owner[symbol]) // another organization may have used its text longer than itself
	}
	delete(s.of, text)
	s.texts[symbol] = ""
	s.free = append(s.free, symbol)
}

// minShrink is how many texts a map must have had for it to be made again.
const minShrink = 1024

// shrink makes the map again once most of it is empty: maps do not shrink.
func (s *symbols) shrink() {
	if s.peak < minShrink || len(s.of)*4 > s.peak {
		return
	}
	of := make(map[string]uint32, len(s.of))
	maps.Copy(of, s.of)
	s.of, s.peak = of, len(of)
}
