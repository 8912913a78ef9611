package notify

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"mime/multipart"
	"net/textproto"
)

// part is one field or file of a form with files.
type part struct {
	name, value string
	file        []byte // a PNG, if not nil
	contentType string // of a value; text/plain if empty
}

const pictureName = "chart.png"

// multipartRequest is a request whose body is a form with files.
func multipartRequest(to string, parts []part) (*request, error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	if err := w.SetBoundary(boundary(parts)); err != nil {
		return nil, fmt.Errorf("write the message: %w", err)
	}
	for _, p := range parts {
		h := textproto.MIMEHeader{}
		h.Set("Content-Disposition", fmt.Sprintf("form-data; name=%q", p.name))
		content := []byte(p.value)
		if p.contentType != "" {
			h.Set("Content-Type", p.contentType)
		}
		if p.file != nil {
			h.Set("Content-Disposition", fmt.Sprintf("form-data; name=%q; filename=%q", p.name, pictureName))
			h.Set("Content-Type", "image/png")
			content = p.file
		}
		pw, err := w.CreatePart(h)
		if err != nil {
			return nil, fmt.Errorf("write the message: %w", err)
		}
		if _, err := pw.Write(content); err != nil {
			return nil, fmt.Errorf("write the message: %w", err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("write the message: %w", err)
	}
	return &request{url: to, contentType: w.FormDataContentType(), body: b.Bytes()}, nil
}

// boundary is made of the content, which therefore cannot hold it, and makes
// two attempts the same.
func boundary(parts []part) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%q %q %q", p.name, p.value, p.file)
	}
	return hex.EncodeToString(h.Sum(nil))[:48]
}

// upload returns the picture to upload, or nil. An alert that cleared needs
// none.
func (n Notification) upload() []byte {
	if n.Image == nil || n.cleared() {
		return nil
	}
	return n.Image.PNG
}

// pictureURL returns the link to the picture, or "".
func (n Notification) pictureURL() string {
	if n.Image == nil || n.cleared() {
		return ""
	}
	return n.Image.URL
}
