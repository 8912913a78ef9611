// Package docs holds the documents that the server itself gives out.
package docs

import "embed"

// OpenAPI describes the whole API, as YAML.
//
//go:embed openapi.yaml
var OpenAPI []byte

// Files are the documents as they are written, and their pictures.
//
//go:embed *.md sending/*.md screenshots
var Files embed.FS
