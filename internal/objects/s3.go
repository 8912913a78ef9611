package objects

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

const (
	// attempts is how often a request is tried; the pause doubles from firstPause.
	attempts   = 5
	firstPause = 500 * time.Millisecond
	// maxPut is the largest object that one request may carry.
	maxPut = 5 << 30
	// maxAnswer is how much of an answer that is no object is read.
	maxAnswer = 16 << 20
)

// s3 keeps objects in a bucket. The bucket is part of the path, which every
// server that speaks S3 understands.
type s3 struct {
	endpoint, bucket, prefix, region string

	keys   aws.Credentials
	signer *v4.Signer
	http   *http.Client
	pause  time.Duration
}

func newS3(bucket, prefix string, o Options) (*s3, error) {
	region := cmp.Or(o.Region, "us-east-1")
	endpoint := cmp.Or(strings.TrimSuffix(o.Endpoint, "/"), "https://s3."+region+".amazonaws.com")
	if u, err := url.Parse(endpoint); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, fmt.Errorf("the endpoint %q is no address: https://s3.example.org", o.Endpoint)
	}
	if o.AccessKey == "" || o.SecretKey == "" {
		return nil, errors.New("storage that speaks S3 needs an access key and a secret key")
	}
	return &s3{
		endpoint: endpoint, bucket: bucket, prefix: prefix, region: region,
		keys:   aws.Credentials{AccessKeyID: o.AccessKey, SecretAccessKey: o.SecretKey},
		signer: v4.NewSigner(func(o *v4.SignerOptions) { o.DisableURIPathEscaping = true }),
		http:   &http.Client{Transport: transport(stalled)},
		pause:  firstPause,
	}, nil
}

func (s *s3) String() string { return "s3://" + path.Join(s.bucket, s.prefix) }

// address is where an object is.
func (s *s3) address(name string) string {
	parts := strings.Split(path.Join(s.bucket, s.prefix, name), "/")
	for i, p := range parts {
		parts[i] = escape(p)
	}
	return s.endpoint + "/" + strings.Join(parts, "/")
}

// escape spells a part of a path, or of a query, as it is signed: servers
// compute the signature from all but letters, digits and -._~ as %XX, of which
// url.PathEscape leaves some as they are.
func escape(part string) string { return strings.ReplaceAll(url.QueryEscape(part), "+", "%20") }

// emptySum is the checksum of a request without a body.
var emptySum = hex.EncodeToString(sha256.New().Sum(nil))

// Put implements Storage. The server compares what it was sent with the
// checksum in the signature.
func (s *s3) Put(ctx context.Context, name string, c Content) error {
	if c.Size > maxPut {
		return fmt.Errorf("%s has %d bytes, and storage that speaks S3 takes at most %d at once", name, c.Size, int64(maxPut))
	}
	resp, err := s.do(ctx, func() (*http.Request, string, error) {
		body, err := c.Open()
		if err != nil {
			return nil, "", err
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPut, s.address(name), body)
		if err != nil {
			return nil, "", errors.Join(err, body.Close())
		}
		if req.ContentLength = c.Size; c.Size == 0 {
			req.Body = http.NoBody
		}
		return req, c.SHA256, nil
	})
	if err != nil {
		return fmt.Errorf("store %s: %w", name, err)
	}
	return resp.Body.Close()
}

// Get implements Storage.
func (s *s3) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	resp, err := s.plain(ctx, http.MethodGet, s.address(name))
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", name, err)
	}
	return resp.Body, nil
}

// Delete implements Storage.
func (s *s3) Delete(ctx context.Context, name string) error {
	resp, err := s.plain(ctx, http.MethodDelete, s.address(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("delete %s: %w", name, err)
	}
	return resp.Body.Close()
}

// listed is a page of a list.
type listed struct {
	XMLName  xml.Name `xml:"ListBucketResult"`
	Contents []struct {
		Key          string    `xml:"Key"`
		Size         int64     `xml:"Size"`
		LastModified time.Time `xml:"LastModified"`
	} `xml:"Contents"`
	Next string `xml:"NextContinuationToken"`
}

// List implements Storage.
func (s *s3) List(ctx context.Context, prefix string) ([]Object, error) {
	within := path.Join(s.prefix, prefix) + "/"
	var all []Object
	for token := ""; ; {
		page, err := s.listPage(ctx, within, token)
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", prefix, err)
		}
		for _, c := range page.Contents {
			name := strings.TrimPrefix(strings.TrimPrefix(c.Key, s.prefix), "/")
			all = append(all, Object{Name: name, Size: c.Size, Modified: c.LastModified})
		}
		if token = page.Next; token == "" {
			return all, nil
		}
	}
}

func (s *s3) listPage(ctx context.Context, prefix, token string) (*listed, error) {
	query := "?list-type=2&prefix=" + escape(prefix)
	if token != "" {
		query += "&continuation-token=" + escape(token)
	}
	resp, err := s.plain(ctx, http.MethodGet, s.endpoint+"/"+escape(s.bucket)+query)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var page listed
	if err := xml.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(&page); err != nil {
		return nil, fmt.Errorf("the answer cannot be read: %w", err)
	}
	return &page, nil
}

// plain sends a request without a body.
func (s *s3) plain(ctx context.Context, method, address string) (*http.Response, error) {
	return s.do(ctx, func() (*http.Request, string, error) {
		req, err := http.NewRequestWithContext(ctx, method, address, nil)
		return req, emptySum, err
	})
}

// do signs and sends a request, again after a pause where that may help.
func (s *s3) do(ctx context.Context, request func() (req *http.Request, sum string, err error)) (*http.Response, error) {
	for attempt := 1; ; attempt++ {
		req, sum, err := request()
		if err != nil {
			return nil, err
		}
		resp, again, err := s.try(req, sum)
		if err == nil || !again || attempt == attempts || ctx.Err() != nil {
			return resp, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(s.pause << (attempt - 1)):
		}
	}
}

// try sends a request once; again says whether another try may help.
func (s *s3) try(req *http.Request, sum string) (resp *http.Response, again bool, err error) {
	req.Header.Set("X-Amz-Content-Sha256", sum)
	if err := s.signer.SignHTTP(req.Context(), s.keys, req, sum, "s3", s.region, time.Now()); err != nil {
		return nil, false, err
	}
	resp, err = s.http.Do(req)
	if err != nil {
		return nil, true, err
	}
	if resp.StatusCode/100 == 2 {
		return resp, false, nil
	}
	defer resp.Body.Close()
	return nil, resp.StatusCode >= 500 || resp.StatusCode == http.StatusTooManyRequests, refusal(resp)
}

// refusal says what a server said, as far as it said something. That there is
// no such object is only what says so: there are servers that know a key of
// nobody's, or nothing of S3, and answer 404.
func refusal(resp *http.Response) error {
	var said struct {
		Code    string `xml:"Code"`
		Message string `xml:"Message"`
	}
	// An answer that is no XML, as that of a proxy, leaves its status.
	_ = xml.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(&said)
	switch said.Code {
	case "NoSuchKey":
		return fs.ErrNotExist
	case "":
		return fmt.Errorf("the storage answered %s", resp.Status)
	}
	return fmt.Errorf("the storage answered %s: %s: %s", resp.Status, said.Code, said.Message)
}
