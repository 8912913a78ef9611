package notify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"github.com/tidemark-metrics/tidemark"
)

// newSNS is the notifier of Amazon SNS. A topic's subscribers get JSON, those by
// telephone a sentence. The region is part of the topic's name.
func newSNS(s settings, _ Options) (renderer, error) {
	parts := strings.Split(s["topic_arn"], ":")
	if len(parts) != 6 {
		return nil, tidemark.InvalidField("topic_arn", "Is not valid")
	}
	region := parts[3]
	host := "sns." + region + ".amazonaws.com"
	if strings.HasPrefix(region, "cn-") {
		host += ".cn"
	}
	signer := v4.NewSigner()
	keys := aws.Credentials{AccessKeyID: s["access_key_id"], SecretAccessKey: s["secret_access_key"], SessionToken: s["session_token"]}
	return func(n Notification) (message, error) {
		text, err := snsMessage(n)
		if err != nil {
			return nil, err
		}
		r := formRequest("https://"+host+"/", url.Values{
			"Action": {"Publish"}, "Version": {"2010-03-31"}, "TopicArn": {s["topic_arn"]}, "MessageStructure": {"json"}, "Message": {text},
		})
		r.sign = func(ctx context.Context, req *http.Request, body []byte, now time.Time) error {
			sum := sha256.Sum256(body)
			return signer.SignHTTP(ctx, keys, req, hex.EncodeToString(sum[:]), "sns", region, now)
		}
		return r, nil
	}, nil
}

// snsMessage is a message for each way of delivery, in JSON.
func snsMessage(n Notification) (string, error) {
	body, err := marshal(snsBody(n))
	if err != nil {
		return "", err
	}
	all, err := marshal(map[string]string{"default": string(body), "sms": n.sms()})
	return string(all), err
}

// snsBody is the message for programs. Unlike a webhook's it has the true
// reason of clearing.
func snsBody(n Notification) any {
	if n.cleared() {
		return struct {
			Alert       wireAlert `json:"alert"`
			TriggerTime int64     `json:"trigger_time"`
			Clear       string    `json:"clear"`
			IncidentKey string    `json:"incident_key"`
		}{n.wireAlert(), n.Time, n.Clear, n.IncidentKey}
	}
	return struct {
		Alert       wireAlert                  `json:"alert"`
		TriggerTime int64                      `json:"trigger_time"`
		Conditions  []wireCondition            `json:"conditions"`
		Violations  map[string][]wireViolation `json:"violations"`
		Test        bool                       `json:"triggered_by_user_test"`
		IncidentKey string                     `json:"incident_key"`
	}{n.wireAlert(), n.Time, n.wireConditions(), n.wireViolations(), n.Test, n.IncidentKey}
}
