package objectstest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// Place is a bucket, and what it takes to use it.
type Place struct {
	Endpoint, Region, AccessKey, SecretKey, Bucket string
	Page                                           int // how many names a page of a list has
}

// Start returns a bucket with nothing in it: in memory, or of the server that
// TIDEMARK_TEST_S3 names, http://KEY:SECRET@HOST:PORT/REGION.
func Start(t testing.TB) Place {
	t.Helper()
	foreign := os.Getenv("TIDEMARK_TEST_S3")
	if foreign == "" {
		server := httptest.NewServer(New())
		t.Cleanup(server.Close)
		return Place{server.URL, Region, AccessKey, SecretKey, "backups", 2}
	}
	u, err := url.Parse(foreign)
	if err != nil {
		t.Fatal(err)
	}
	secret, _ := u.User.Password()
	p := Place{u.Scheme + "://" + u.Host, strings.Trim(u.Path, "/"), u.User.Username(), secret, fmt.Sprint("test-", time.Now().UnixNano()), 1000}
	if err := p.makeBucket(t.Context()); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p Place) makeBucket(ctx context.Context) error {
	where := `<CreateBucketConfiguration><LocationConstraint>` + p.Region + `</LocationConstraint></CreateBucketConfiguration>`
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, p.Endpoint+"/"+p.Bucket, strings.NewReader(where))
	if err != nil {
		return err
	}
	hash := sha256.Sum256([]byte(where))
	sum := hex.EncodeToString(hash[:])
	req.Header.Set("X-Amz-Content-Sha256", sum)
	keys := aws.Credentials{AccessKeyID: p.AccessKey, SecretAccessKey: p.SecretKey}
	if err := v4.NewSigner().SignHTTP(ctx, keys, req, sum, "s3", p.Region, time.Now()); err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if said, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusOK {
		return fmt.Errorf("make a bucket: %s: %s", resp.Status, said)
	}
	return nil
}
