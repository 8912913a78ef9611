//go:build !race

package testdeps

const race = false
