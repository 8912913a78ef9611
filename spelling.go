package tidemark

import "strings"

// Spelling is how a name or a value of tags is shown that is in lower case in
// storage: as it was when it first came.
type Spelling struct {
	ID   int64
	Tag  string // whose value it is, in lower case; "" for the name of a tag
	Text string // with letters in upper case
}

// Key is the text as storage has it.
func (s *Spelling) Key() string { return strings.ToLower(s.Text) }

// MaxSpellings is how many an organization may have. Further texts are shown in
// lower case.
const MaxSpellings = 100_000

// HasUpper reports whether a text of names and tags has letters in upper case.
func HasUpper(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= 'A' && c <= 'Z' {
			return true
		}
	}
	return false
}
