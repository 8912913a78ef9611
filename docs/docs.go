// Package docs holds the documents that the server itself gives out.
package docs

import _ "embed"

// OpenAPI describes the whole API, as YAML.
//
//go:embed openapi.yaml
var OpenAPI []byte
