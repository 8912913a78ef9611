package notify

import (
	"fmt"
	"strings"
	"text/template"
	"time"

	"github.com/tidemark-metrics/tidemark"
)

const (
	maxRendered = tidemark.MaxTemplateOutput // bytes of the result, and of any text on the way
	maxSteps    = tidemark.MaxTemplateSteps  // nodes of the template that are executed
	maxWork     = tidemark.MaxTemplateWork   // bytes of all texts that are made on the way
	maxPadding  = 1000                       // width or precision of a printf verb
)

// budget bounds one rendering: the nodes it executes and the bytes of text its
// functions make. Both are charged before the work is done where that can be
// known, so that a rendering takes milliseconds and a few MiB whatever the
// template says, and needs no deadline.
type budget struct{ steps, work int }

// step charges for n nodes.
func (b *budget) step(n int) (string, error) {
	if b.steps += n; b.steps > maxSteps {
		return "", errTooSlow
	}
	return "", nil
}

// reserve charges for a text of up to n bytes.
func (b *budget) reserve(n int) error {
	if b.work += n; n > 16*maxRendered || b.work > maxWork {
		return errTooLong
	}
	return nil
}

// make returns a text of about n bytes that text makes.
func (b *budget) make(n int, text func() string) (string, error) {
	if err := b.reserve(n); err != nil {
		return "", err
	}
	s := text()
	if len(s) > maxRendered {
		return "", errTooLong
	}
	return s, nil
}

// counter is the function that countSteps puts into templates. Their authors
// cannot call it: it is not there while their text is parsed.
func (b *budget) counter() template.FuncMap { return template.FuncMap{"step": b.step} }

// functions are what a template may call beside the comparisons, and, or,
// not, len, index and slice of the language. Those that make texts are ours,
// the language's own included, because theirs have no limit.
func (b *budget) functions() template.FuncMap {
	f := template.FuncMap{
		"upper":    func(s string) (string, error) { return b.make(len(s), func() string { return strings.ToUpper(s) }) },
		"lower":    func(s string) (string, error) { return b.make(len(s), func() string { return strings.ToLower(s) }) },
		"trim":     strings.TrimSpace,
		"join":     b.join,
		"truncate": func(n int, s string) string { return shorten(s, max(n, 3)) },
		"default": func(other, v string) string {
			if v == "" {
				return other
			}
			return v
		},
		"replace": b.replace,
		"json":    b.json,
		"time": func(layout string, unix int64) (string, error) {
			return b.make(2*len(layout), func() string { return time.Unix(unix, 0).UTC().Format(layout) })
		},
		"number": groupedNumber,
		"printf": b.printf,
		"print": func(args ...any) (string, error) {
			return b.make(sizeOfAll(args), func() string { return fmt.Sprint(args...) })
		},
		"println": func(args ...any) (string, error) {
			return b.make(sizeOfAll(args), func() string { return fmt.Sprintln(args...) })
		},
	}
	for name, escape := range map[string]func(...any) string{
		"html": template.HTMLEscaper, "js": template.JSEscaper, "urlquery": template.URLQueryEscaper,
	} {
		f[name] = func(args ...any) (string, error) {
			return b.make(maxEscaped*sizeOfAll(args), func() string { return escape(args...) })
		}
	}
	return f
}

// maxEscaped is how many bytes escaping may make of one.
const maxEscaped = 6

func (b *budget) join(sep string, list []string) (string, error) {
	return b.make(sizeOf(list)+len(sep)*len(list), func() string { return strings.Join(list, sep) })
}

func (b *budget) replace(from, to, s string) (string, error) {
	return b.make(len(s)+strings.Count(s, from)*len(to), func() string { return strings.ReplaceAll(s, from, to) })
}

func (b *budget) json(v any) (string, error) {
	if err := b.reserve(sizeOf(v)); err != nil {
		return "", err
	}
	text, err := marshal(v)
	if err != nil {
		return "", err
	}
	return b.make(len(text), func() string { return string(text) })
}

func (b *budget) printf(format string, args ...any) (string, error) {
	n, err := printedSize(format, args)
	if err != nil {
		return "", err
	}
	return b.make(n, func() string { return fmt.Sprintf(format, args...) })
}

// printedSize is how long a text printf can make at most, about. Every verb is
// taken to print the longest argument, since verbs may choose theirs.
func printedSize(format string, args []any) (int, error) {
	longest := 0
	for _, a := range args {
		longest = max(longest, sizeOf(a))
	}
	size := len(format)
	for rest := format; ; {
		_, verb, found := strings.Cut(rest, "%")
		if !found {
			return size, nil
		}
		padding, factor, after, err := readVerb(verb)
		if err != nil {
			return 0, err
		}
		size, rest = size+padding+factor*longest, after
	}
}

// readVerb reads what follows a percent sign: how much padding it asks for,
// and how many bytes it makes of one.
func readVerb(s string) (padding, factor int, rest string, err error) {
	number, inIndex := 0, false
	for i, c := range s {
		switch {
		case c == '*':
			return 0, 0, "", errTooLong // a width that is an argument
		case c == '[' || c == ']':
			number, inIndex = 0, c == '['
		case c >= '0' && c <= '9' && !inIndex:
			if number = number*10 + int(c-'0'); number > maxPadding {
				return 0, 0, "", errTooLong
			}
		case c == '.':
			padding, number = padding+number, 0
		case strings.ContainsRune("qxXU", c):
			return padding + number, 10, s[i+1:], nil
		case strings.ContainsRune("+-# ", c) || inIndex:
		default:
			return padding + number, 1, s[i+len(string(c)):], nil
		}
	}
	return padding + number, 1, "", nil
}

// numberSize is how long a number is at most when printed.
const numberSize = 400

func sizeOfAll(args []any) (n int) {
	for _, a := range args {
		n += sizeOf(a) + 1
	}
	return n
}

// sizeOf is how long v is when printed, about: of texts exactly, of everything
// else that templates see at least as much.
func sizeOf(v any) (n int) {
	switch v := v.(type) {
	case string:
		return len(v)
	case []string:
		for _, s := range v {
			n += len(s) + 3
		}
		return n
	case map[string]any:
		for key, value := range v {
			n += len(key) + sizeOf(value) + 4
		}
		return n
	case []map[string]any:
		for _, m := range v {
			n += sizeOf(m) + 3
		}
		return n
	}
	return numberSize
}
