package protocol

import (
	"strings"
	"testing"

	"github.com/tidemark-metrics/tidemark"
)

func TestNames(t *testing.T) {
	var b Batch
	long := strings.Repeat("a", 300)
	for _, c := range []struct {
		do         func(string) string
		sent, want string
	}{
		{b.MetricName, "http_requests_total", "http_requests_total"},
		{b.MetricName, "node:cpu.load-5m", "node:cpu.load-5m"},
		{b.MetricName, "max_xrange_mix", "max_xrange_mix"},
		{b.MetricName, "linux_x", "linux_x"},
		{b.MetricName, "cpu/load", "cpu_x2f_load"},
		{b.MetricName, "a b", "a_x20_b"},
		{b.MetricName, "größe", "gr_xf6__xdf_e"},
		{b.MetricName, "温度", "_x6e29__x5ea6_"},
		{b.MetricName, "a\xffb", "a_xfffd_b"},
		{b.MetricName, "a_x2f_b", "a_x5f_x2f_b"},
		{b.MetricName, "a_X2F_b", "a_x5f_X2F_b"},
		{b.MetricName, "a_x02f_b", "a_x02f_b"}, // no escape
		{b.MetricName, "a_x110000_", "a_x110000_"},
		{b.MetricName, "_x5__x5_", "_x5f_x5__x5f_x5_"},
		{b.MetricName, "a_x2/", "a_x5f_x2_x2f_"}, // would become an escape
		{b.MetricName, "@a", "_x40_a"},
		{b.LabelName, "@a@", "@a_x40_"},
		{b.LabelName, "host.name", "host.name"},
		{b.LabelName, "a=b", "a_x3d_b"},
		{b.LabelValue, "+Inf", "_x2b_Inf"},
		{b.LabelValue, `C:\Users\x y?/`, `C:\Users\x y?/`},
		{b.LabelValue, "a,b", "a_x2c_b"},
		{b.LabelValue, "line\nbreak\x00", "line_xa_break_x0_"},
		{b.MetricName, long, strings.Repeat("a", 237) + "_h96f84d96b9cfcfc7"},
	} {
		got := c.do(c.sent)
		if got != c.want {
			t.Errorf("%q becomes %q, want %q", c.sent, got, c.want)
		}
		if again := c.do(c.sent); again != got {
			t.Errorf("%q becomes %q the second time", c.sent, again)
		}
	}
	if a, b := b.LabelName(long+"1"), b.LabelName(long+"2"); a == b || len(a) != tidemark.MaxTagName {
		t.Errorf("%q and %q", a, b)
	}
}

// FuzzNames holds that whatever is sent the API can have, that nothing is
// changed that need not be, and that what was sent comes back where it was
// UTF-8 and short enough, also after its case was lost.
func FuzzNames(f *testing.F) {
	for _, s := range []string{"http_requests_total", "a b", "_x2f_", "größe", "_x", "__x2__x2_", "_X_x20_", "@", "\xff", strings.Repeat("/", 90)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if s == "" {
			return
		}
		for a, valid := range map[*alphabet]func(string) bool{
			metricNames: tidemark.IsMetricName, labelNames: tidemark.IsTagName, labelValues: tidemark.IsTagValue,
		} {
			got := new(Batch).mapText(a, s)
			if !valid(got) {
				t.Fatalf("%q becomes %q, which is not valid", s, got)
			}
			if valid(s) && !hasEscape(s) && got != s {
				t.Fatalf("%q becomes %q without need", s, got)
			}
			if cut := len(got) >= a.most-len("_x10ffff_"); cut {
				continue
			}
			if back := Unescape(got); back != strings.ToValidUTF8(s, "\ufffd") && back != string([]rune(s)) {
				t.Fatalf("%q becomes %q and comes back as %q", s, got, back)
			}
			if lower := strings.ToLower(got); !strings.EqualFold(Unescape(lower), Unescape(got)) {
				t.Fatalf("%q becomes %q, which means something else in lower case", s, got)
			}
		}
	})
}

func BenchmarkNames(b *testing.B) {
	var batch Batch
	for b.Loop() {
		batch.MetricName("http_request_duration_seconds_bucket")
		batch.LabelName("instance")
		batch.LabelValue("checkout-7d9f8c6b5-x2x7k.eu-west-1.example.org:8080")
	}
}
