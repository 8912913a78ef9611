// Command lint has the analyses that go vet lacks. scripts/lint.sh gives it to
// go vet, which then remembers the packages that were in order.
package main

import (
	"github.com/polyfloyd/go-errorlint/errorlint"
	"go-simpler.org/sloglint"
	"golang.org/x/tools/go/analysis/unitchecker"
)

func main() {
	unitchecker.Main(
		errorlint.NewAnalyzer(),
		length,
		sloglint.New(&sloglint.Options{NoGlobalLogger: "all", AttributesOnly: true, KeyNamingCase: "snake"}),
	)
}
