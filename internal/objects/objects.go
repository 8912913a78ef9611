// Package objects keeps named objects that never change: in a directory, or in
// storage that speaks S3. Backups are made of them.
package objects

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"
)

// Storage keeps objects by name. Names have slashes between their parts.
type Storage interface {
	// Put stores an object whole or not at all, over one of the same name.
	Put(ctx context.Context, name string, c Content) error
	// Get opens an object; fs.ErrNotExist if there is none.
	Get(ctx context.Context, name string) (io.ReadCloser, error)
	// List returns the objects below a prefix that ends with a slash, by name.
	List(ctx context.Context, prefix string) ([]Object, error)
	// Delete deletes an object, if it is there.
	Delete(ctx context.Context, name string) error
	// String says where the objects are, without credentials.
	String() string
}

// Object is an object in a list.
type Object struct {
	Name     string
	Size     int64
	Modified time.Time
}

// Content is what an object holds.
type Content struct {
	Size   int64
	SHA256 string // in hexadecimal digits
	// Open is called once for every attempt.
	Open func() (io.ReadCloser, error)
}

// Options are what storage that speaks S3 needs beside its address.
type Options struct {
	Endpoint             string // "https://s3.example.org"; Amazon's in the region if empty
	Region               string
	AccessKey, SecretKey string
}

// IsAddress reports whether text names a Storage, rather than a plain
// directory.
func IsAddress(text string) bool {
	return strings.HasPrefix(text, "s3://") || strings.HasPrefix(text, "file://")
}

// Open returns the Storage at s3://BUCKET/PREFIX or file:///DIRECTORY.
func Open(address string, o Options) (Storage, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("%q is no address: %w", address, err)
	}
	switch {
	case u.User != nil:
		return nil, errors.New("keys do not belong into the address of storage, which is shown: backup.s3_access_key and backup.s3_secret_key are for them")
	case u.RawQuery != "" || u.Fragment != "" || strings.ContainsAny(address, "?#"):
		return nil, fmt.Errorf("%q has ? or # in it, which no name of a place may", address)
	case u.Scheme == "file" && u.Host == "" && strings.Trim(u.Path, "/") != "":
		return &directory{root: u.Path}, nil
	case u.Scheme == "s3" && u.Host != "":
		return newS3(u.Host, strings.Trim(u.Path, "/"), o)
	}
	return nil, fmt.Errorf("%q is neither s3://BUCKET/PREFIX nor file:///DIRECTORY", address)
}
