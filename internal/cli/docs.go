package cli

import (
	"fmt"

	"github.com/tidemark-metrics/tidemark/internal/docsite"
)

type docsCmd struct {
	Folder string `arg:"" type:"path" help:"Where to write it; made if it is not there."`
}

// Run writes the documentation as a site of static files.
func (c *docsCmd) Run(r *run) error {
	n, err := docsite.Write(c.Folder)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.Out, "wrote %d files into %s: open index.html, or give them to a web server\n", n, c.Folder)
	return err
}
