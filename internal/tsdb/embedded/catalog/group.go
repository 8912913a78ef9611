package catalog

import "slices"

// Member is a stream of a metric, and the number of its group.
type Member struct{ At, Group uint32 }

// Group numbers the streams of a metric at the given positions by the values
// of tags, orders them by that, and leaves out those that lack one of the tags.
func (c *View) Group(m *Metric, list []uint32, by []string) []Member {
	cols := make([]int, len(by))
	for i, name := range by {
		symbol, ok := c.symbols.of[name]
		if cols[i] = slices.Index(m.tags, symbol); !ok || cols[i] < 0 {
			return nil
		}
	}
	kept := make([]Member, 0, len(list))
	key := make([]byte, 0, 4*len(cols))
	numbers := make(map[string]uint32)
	var firsts []uint32 // position of one stream of each group
	for _, at := range list {
		key = key[:0]
		for _, col := range cols {
			v := m.value(col, at)
			if v == 0 {
				break
			}
			key = append(key, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
		}
		if len(key) < 4*len(cols) {
			continue
		}
		n, ok := numbers[string(key)]
		if !ok {
			n = uint32(len(firsts))
			numbers[string(key)] = n
			firsts = append(firsts, at)
		}
		kept = append(kept, Member{at, n})
	}
	rank := c.rankGroups(m, firsts, cols)
	for i := range kept {
		kept[i].Group = rank[kept[i].Group]
	}
	slices.SortStableFunc(kept, func(a, b Member) int { return int(a.Group) - int(b.Group) })
	return kept
}

// rankGroups returns the place of each group in the order of their tags.
func (c *View) rankGroups(m *Metric, firsts []uint32, cols []int) []uint32 {
	order := make([]uint32, len(firsts))
	for i := range order {
		order[i] = uint32(i)
	}
	text := func(i uint32, col int) string { return c.symbols.texts[m.value(col, firsts[i])] }
	slices.SortFunc(order, func(a, b uint32) int {
		for _, col := range cols {
			if x, y := text(a, col), text(b, col); x != y {
				if x < y {
					return -1
				}
				return 1
			}
		}
		return 0
	})
	rank := make([]uint32, len(order))
	for place, i := range order {
		rank[i] = uint32(place)
	}
	return rank
}
