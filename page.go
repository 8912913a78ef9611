package tidemark

// MaxPageLength is the longest page, and the length of a page that asks for none.
const MaxPageLength = 100

// Page selects part of a list.
type Page struct {
	Offset  int
	Length  int
	OrderBy string // empty means the list's natural order
	Desc    bool
	Name    string // only what has this in its name; case does not matter, * is a wildcard
}

// Counts says how long a list is: Found is what the page's filter lets
// through, Total is everything of its kind.
type Counts struct {
	Found, Total int
}
