package app

import "runtime/debug"

// Version is the version of the program, from how it was built.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	version := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && (version == "" || version == "(devel)") {
			return "devel " + s.Value[:min(12, len(s.Value))]
		}
	}
	return version
}
