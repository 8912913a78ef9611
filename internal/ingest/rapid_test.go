package ingest

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestAgainstModel makes requests out of the parts that requests are made of,
// right and wrong ones, and compares what decoder and model make of them.
func TestAgainstModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		compare(t, []byte(drawRequest(rt)))
	})
}

var (
	drawText   = rapid.SampledFrom([]string{`"a"`, `"B"`, `"a.b-c:d_e"`, `"\u0061"`, `"é"`, `""`, `" x "`, `"a/b?c\\d"`, `"` + strings.Repeat("t", 65) + `"`, `"` + strings.Repeat("v", 256) + `"`, `"@host"`, `"@"`})
	drawNumber = rapid.SampledFrom([]string{"0", "-0", "1", "2.5", "-3e2", "1e126", "9.99e126", "1e127", "1e-130", "1e-131", "0.1", "123456789012345678901", `"4"`, `" 5.5 "`, `"x"`, `""`, "1754300400", "1754300400.9", `"1754300401"`, "1754300400000", "-1"})
	drawOther  = rapid.SampledFrom([]string{"null", "true", "false", "[]", "{}", "[1,[2]]", `{"a":{"b":null}}`, deep(maxDepth - 5), deep(maxDepth), `"text"`})
	drawSpace  = rapid.SampledFrom([]string{"", "", "", " ", "\n\t", "\r"})
)

func deep(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

func drawRequest(t *rapid.T) string {
	members := []string{
		`"measurements":` + drawList(t),
		`"tags":` + drawTags(t), `"time":` + drawValue(t, drawNumber), `"period":` + drawValue(t, drawNumber), `"x":` + drawOther.Draw(t, "x"),
	}
	return drawSpace.Draw(t, "space") + drawObject(t, members, 1) + drawSpace.Draw(t, "space")
}

// drawObject makes an object of some of members, some of them twice.
func drawObject(t *rapid.T, members []string, least int) string {
	picked := members[:least:least]
	for range rapid.IntRange(0, len(members)).Draw(t, "members") {
		picked = append(picked, rapid.SampledFrom(members).Draw(t, "member"))
	}
	space := drawSpace.Draw(t, "space")
	return "{" + space + strings.Join(rapid.Permutation(picked).Draw(t, "order"), space+","+space) + space + "}"
}

func drawValue(t *rapid.T, usual *rapid.Generator[string]) string {
	if rapid.IntRange(0, 9).Draw(t, "usual") == 0 {
		return drawOther.Draw(t, "other")
	}
	return usual.Draw(t, "value")
}

func drawTags(t *rapid.T) string {
	var members []string
	for i := range rapid.IntRange(0, 4).Draw(t, "tags") {
		members = append(members, `"t`+strconv.Itoa(i)+`":`+drawValue(t, drawText), drawText.Draw(t, "name")+":"+drawValue(t, drawText))
	}
	if rapid.IntRange(0, 50).Draw(t, "many") == 0 {
		for i := range rapid.SampledFrom([]int{49, 50, 51, 999, 1000, 1001}).Draw(t, "n") {
			members = append(members, `"m`+strconv.Itoa(i)+`":"v"`)
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	if len(members) == 0 {
		return "{}"
	}
	return drawObject(t, members, 0)
}

func drawList(t *rapid.T) string {
	var list []string
	for range rapid.IntRange(1, 5).Draw(t, "measurements") {
		members := []string{`"name":` + drawValue(t, rapid.SampledFrom([]string{`"m"`, `"M.n"`, drawText.Draw(t, "name")}))}
		for _, field := range numericNames[:fieldSquares] {
			members = append(members, `"`+field+`":`+drawValue(t, drawNumber))
		}
		members = append(members, `"tags":`+drawTags(t), `"time":`+drawValue(t, drawNumber), `"x":`+drawOther.Draw(t, "x"))
		list = append(list, drawObject(t, members, 1))
	}
	if rapid.IntRange(0, 20).Draw(t, "odd") == 0 {
		list = append(list, drawOther.Draw(t, "odd"))
	}
	return "[" + strings.Join(list, ",") + "]"
}
