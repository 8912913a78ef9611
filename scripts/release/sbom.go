package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

type component struct {
	Type     string         `json:"type"`
	BOMRef   string         `json:"bom-ref"`
	Name     string         `json:"name"`
	Version  string         `json:"version"`
	Hashes   []hash         `json:"hashes,omitempty"`
	Licenses []licenseEntry `json:"licenses,omitempty"`
	PURL     string         `json:"purl,omitempty"`
}

type hash struct {
	Alg     string `json:"alg"`
	Content string `json:"content"`
}

// licenseEntry is an expression, which a single identifier is too.
type licenseEntry struct {
	Expression string `json:"expression"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// boms writes the bill of materials (CycloneDX) of each program.
func (r *release) boms() error {
	ui, err := uiParts()
	if err != nil {
		return err
	}
	for _, p := range r.platforms {
		bom, err := r.bom(p, ui)
		if err != nil {
			return err
		}
		b, err := json.MarshalIndent(bom, "", "  ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(r.name(p, ".cdx.json"), append(b, '\n'), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) bom(platform string, ui []part) (map[string]any, error) {
	parts, err := goParts(r.binary(platform))
	if err != nil {
		return nil, err
	}
	sum, err := checksum(r.binary(platform))
	if err != nil {
		return nil, err
	}
	self := component{Type: "application", Name: "tidemark", Version: r.version, PURL: "pkg:golang/github.com/tidemark-metrics/tidemark@v" + r.version,
		Hashes: []hash{{"SHA-256", sum}}, Licenses: []licenseEntry{{"Apache-2.0"}}}
	self.BOMRef = self.PURL
	components, needs := []component{}, dependency{Ref: self.BOMRef}
	for _, p := range append(parts, ui...) {
		components = append(components, p.component())
		needs.DependsOn = append(needs.DependsOn, p.purl)
	}
	return map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "serialNumber": "urn:uuid:" + uuid(platform+sum),
		"metadata":   map[string]any{"timestamp": r.date.Format(time.RFC3339), "component": self},
		"components": components, "dependencies": []dependency{needs},
	}, nil
}

func (p part) component() component {
	c := component{Type: "library", BOMRef: p.purl, Name: p.name, Version: p.version, PURL: p.purl}
	if p.license != "" {
		c.Licenses = []licenseEntry{{strings.Trim(p.license, "()")}}
	}
	if raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(p.sum, "h1:")); err == nil && len(raw) == sha256.Size {
		c.Hashes = []hash{{"SHA-256", hex.EncodeToString(raw)}}
	}
	return c
}

// uuid makes an identifier out of text: the same for the same.
func uuid(text string) string {
	sum := sha256.Sum256([]byte(text))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
