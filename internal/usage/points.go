package usage

import (
	"fmt"
	"strings"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/protocol"
)

// maxSampled is how many names a sample of points has.
const maxSampled = 5

// hostLabels are the labels that say who sends.
var hostLabels = []string{"host", "host.name", "instance"}

// senderTags are the tags that do so, with that of the API before tags.
var senderTags = []string{"host", "source", "host.name", "instance"}

// SenderOf is who sends a stream, by its tags in lower case: what Sample.sender
// says of a request, as far as it is kept. "" is that the tags do not tell.
func SenderOf(tags tidemark.Tags) string {
	for _, name := range senderTags {
		if v, ok := tags.Get(name); ok {
			return v
		}
	}
	return ""
}

// SampleOfPoints returns the sample of what came through another protocol.
func SampleOfPoints(b *protocol.Batch) Sample {
	var out strings.Builder
	for i := range b.Points[:min(len(b.Points), maxSampled)] {
		p := &b.Points[i]
		if i == 0 {
			for _, name := range hostLabels {
				if host, ok := p.Labels.Get(name); ok {
					fmt.Fprintf(&out, `{"host":"%s"}`, host)
					break
				}
			}
		}
		fmt.Fprintf(&out, `{"name":"%s"}`, p.Name)
	}
	return Sample(out.String())
}
