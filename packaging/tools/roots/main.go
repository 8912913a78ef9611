// Command roots prints the certificates of Mozilla's authorities as PEM. Images
// are made without a base, so they bring these themselves; their version is
// pinned beside this program rather than being that of the builder's machine.
package main

import (
	"encoding/pem"
	"fmt"
	"os"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

func main() {
	for root := range bundle.Roots() {
		if root.Constraint != nil {
			continue // a file cannot say what an authority is believed about
		}
		if err := pem.Encode(os.Stdout, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}); err != nil {
			fmt.Fprintln(os.Stderr, "roots:", err)
			os.Exit(1)
		}
	}
}
