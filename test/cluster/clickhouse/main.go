// Command clickhouse runs the ClickHouse that is inside a shared library as a
// server, for tests. Usage: clickhouse LIBRARY [ARGUMENT...], with the
// arguments of clickhouse-local.
package main

import (
	"fmt"
	"os"
	"runtime"

	"github.com/ebitengine/purego"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: clickhouse LIBRARY [ARGUMENT...]")
		os.Exit(2)
	}
	runtime.LockOSThread()
	library, err := purego.Dlopen(os.Args[1], purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var run func(argc int32, argv **byte) uintptr
	purego.RegisterLibFunc(&run, library, "chdb_query_cmdline")
	args := append([]string{"clickhouse"}, os.Args[2:]...)
	argv := make([]*byte, len(args)+1) // the last one is NULL
	for i, a := range args {
		argv[i] = &append([]byte(a), 0)[0]
	}
	run(int32(len(args)), &argv[0])
}
