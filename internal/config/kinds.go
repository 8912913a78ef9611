package config

import (
	"fmt"
	"math"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark-metrics/tidemark/internal/outbound"
)

func (s setting) hidden() setting { s.secret = true; return s }

func text(name, def, help string, v *string) setting {
	return setting{name: name, def: def, help: help, set: func(s string) error { *v = s; return nil }, get: func() string { return *v }}
}

func oneOf(name, def, help string, v *string, allowed ...string) setting {
	st := text(name, def, help, v)
	st.set = func(s string) error {
		if slices.Contains(allowed, s) {
			*v = s
			return nil
		}
		return fmt.Errorf("%q is not one of %s", s, strings.Join(allowed, ", "))
	}
	return st
}

func number(name, def, help string, v *int64) setting {
	return setting{name: name, def: def, help: help, get: func() string { return strconv.FormatInt(*v, 10) }, set: func(s string) error {
		n, err := strconv.ParseInt(strings.ReplaceAll(s, "_", ""), 10, 64) // 200_000, as YAML has it
		if err != nil || n < 0 {
			return fmt.Errorf("%q is not a number", s)
		}
		*v = n
		return nil
	}}
}

func boolean(name, def, help string, v *bool) setting {
	return setting{name: name, def: def, help: help, get: func() string { return strconv.FormatBool(*v) }, set: func(s string) (err error) {
		if *v, err = strconv.ParseBool(s); err != nil {
			return fmt.Errorf("%q is not true or false", s)
		}
		return nil
	}}
}

func words(name, def, help string, v *[]string) setting {
	return setting{name: name, def: def, help: help, get: func() string { return strings.Join(*v, ",") }, set: func(s string) error {
		*v = split(s)
		return nil
	}}
}

func split(s string) []string {
	var parts []string
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

func prefixes(name, def, help string, v *[]netip.Prefix) setting {
	get := func() string {
		parts := make([]string, len(*v))
		for i, p := range *v {
			parts[i] = p.String()
		}
		return strings.Join(parts, ",")
	}
	return setting{name: name, def: def, help: help, get: get, set: func(s string) error {
		*v = nil
		for _, part := range split(s) {
			p, err := netip.ParsePrefix(part)
			if err != nil {
				addr, err := netip.ParseAddr(part)
				if err != nil {
					return fmt.Errorf("%q is not a network such as 10.0.0.0/8", part)
				}
				p = netip.PrefixFrom(addr, addr.BitLen())
			}
			*v = append(*v, p.Masked())
		}
		return nil
	}}
}

func networks(name, def, help string, v *[]outbound.Network) setting {
	get := func() string {
		parts := make([]string, len(*v))
		for i, n := range *v {
			parts[i] = n.String()
		}
		return strings.Join(parts, ",")
	}
	return setting{name: name, def: def, help: help, get: get, set: func(s string) error {
		*v = nil
		for _, part := range split(s) {
			n, err := outbound.ParseNetwork(part)
			if err != nil {
				return err
			}
			*v = append(*v, n)
		}
		return nil
	}}
}

// maxDays is the longest time that a duration can hold.
const maxDays = math.MaxInt64 / int64(24*time.Hour)

// duration takes what time.ParseDuration takes, and days.
func duration(name, def, help string, v *time.Duration) setting {
	get := func() string {
		if day := 24 * time.Hour; *v >= day && *v%day == 0 {
			return strconv.FormatInt(int64(*v/day), 10) + "d"
		}
		return v.String()
	}
	return setting{name: name, def: def, help: help, get: get, set: func(s string) error {
		if days, ok := strings.CutSuffix(s, "d"); ok {
			n, err := strconv.ParseInt(days, 10, 64)
			if err != nil || n < 0 {
				return fmt.Errorf("%q is not a time such as 8d or 12h", s)
			}
			if n > maxDays {
				return fmt.Errorf("%q is longer than %dd", s, maxDays)
			}
			*v = time.Duration(n) * 24 * time.Hour
			return nil
		}
		d, err := time.ParseDuration(s)
		if err != nil || d < 0 {
			return fmt.Errorf("%q is not a time such as 8d or 12h", s)
		}
		*v = d
		return nil
	}}
}

var units = []struct {
	name  string
	bytes int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}

func size(name, def, help string, v *int64) setting {
	get := func() string {
		for _, u := range units {
			if *v >= u.bytes && *v%u.bytes == 0 {
				return strconv.FormatInt(*v/u.bytes, 10) + u.name
			}
		}
		return "0B"
	}
	return setting{name: name, def: def, help: help, get: get, set: func(s string) error {
		for _, u := range units {
			if digits, ok := strings.CutSuffix(s, u.name); ok {
				n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
				if err != nil || n < 0 || n > math.MaxInt64/u.bytes {
					break
				}
				*v = n * u.bytes
				return nil
			}
		}
		return fmt.Errorf("%q is not a size such as 256MiB", s)
	}}
}
