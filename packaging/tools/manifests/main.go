// Command manifests reads Kubernetes objects from standard input and fails on
// any field or type that their kinds do not have.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	strict "sigs.k8s.io/yaml"
)

// kinds makes an empty object of each kind that we use.
var kinds = map[string]func() any{
	"apps/v1 StatefulSet":           func() any { return new(appsv1.StatefulSet) },
	"v1 Service":                    func() any { return new(corev1.Service) },
	"v1 ServiceAccount":             func() any { return new(corev1.ServiceAccount) },
	"v1 ConfigMap":                  func() any { return new(corev1.ConfigMap) },
	"policy/v1 PodDisruptionBudget": func() any { return new(policyv1.PodDisruptionBudget) },
	"networking.k8s.io/v1 Ingress":  func() any { return new(networkingv1.Ingress) },
	// Of the Prometheus operator, which has its own module: only that it is YAML.
	"monitoring.coreos.com/v1 ServiceMonitor": func() any { return new(map[string]any) },
}

func main() {
	n, err := check(os.Stdin)
	if err == nil && n == 0 {
		err = fmt.Errorf("there are no objects")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "manifests:", err)
		os.Exit(1)
	}
	fmt.Println(n, "objects are in order")
}

func check(r io.Reader) (int, error) {
	docs := yaml.NewYAMLReader(bufio.NewReader(r))
	for n := 0; ; {
		doc, err := docs.Read()
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		var head struct{ APIVersion, Kind string }
		if err := strict.Unmarshal(doc, &head); err != nil {
			return n, err
		}
		if head.Kind == "" {
			continue // only comments
		}
		name := head.APIVersion + " " + head.Kind
		empty, ok := kinds[name]
		if !ok {
			return n, fmt.Errorf("no kind %q", name)
		}
		if err := strict.UnmarshalStrict(doc, empty()); err != nil {
			return n, fmt.Errorf("%s: %w", name, err)
		}
		n++
	}
}
