package main

import (
	"encoding/json"
	"os"
	"strings"
	"time"
)

// owner is the user that the server runs as in a container.
const owner = 65532

// descriptor names a blob of an image.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    *platform         `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type platform struct {
	OS           string `json:"os"`
	Architecture string `json:"architecture"`
}

const (
	typeIndex    = "application/vnd.oci.image.index.v1+json"
	typeManifest = "application/vnd.oci.image.manifest.v1+json"
	typeConfig   = "application/vnd.oci.image.config.v1+json"
	typeLayer    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// layout is an OCI image layout in the making.
type layout struct {
	entries []entry
	written map[string]bool
}

func newLayout() *layout {
	l := &layout{written: make(map[string]bool)}
	l.file("oci-layout", []byte(`{"imageLayoutVersion":"1.0.0"}`))
	return l
}

func (l *layout) file(name string, b []byte) {
	if !l.written[name] {
		l.written[name] = true
		l.entries = append(l.entries, entry{name: name, mode: 0o644, content: b})
	}
}

func (l *layout) blob(mediaType string, b []byte) descriptor {
	d := digest(b)
	l.file("blobs/sha256/"+d, b)
	return descriptor{MediaType: mediaType, Digest: "sha256:" + d, Size: len(b)}
}

func (l *layout) json(mediaType string, v any) (descriptor, error) {
	b, err := json.Marshal(v)
	return l.blob(mediaType, b), err
}

// images writes one for each architecture of Linux, which docker load and
// podman load take, and one for all, which registries take.
func (r *release) images() error {
	all := newLayout()
	var manifests []descriptor
	for _, p := range r.platforms {
		arch, isLinux := strings.CutPrefix(p, "linux_")
		if !isLinux {
			continue
		}
		one := newLayout()
		m, err := r.image(one, arch)
		if err != nil {
			return err
		}
		for _, e := range one.entries {
			if strings.HasPrefix(e.name, "blobs/") {
				all.file(e.name, e.content)
			}
		}
		manifests = append(manifests, m)
		if err := r.writeImage(one, []descriptor{m}, p+"_image.tar"); err != nil {
			return err
		}
	}
	index, err := all.json(typeIndex, map[string]any{"schemaVersion": 2, "mediaType": typeIndex, "manifests": manifests})
	if err != nil {
		return err
	}
	return r.writeImage(all, []descriptor{index}, "oci.tar")
}

func (r *release) writeImage(l *layout, manifests []descriptor, name string) error {
	// The second is what podman load, and docker load of today, name it after.
	manifests[0].Annotations = map[string]string{"org.opencontainers.image.ref.name": r.version, "io.containerd.image.name": "docker.io/library/tidemark:" + r.version}
	b, err := json.Marshal(map[string]any{"schemaVersion": 2, "mediaType": typeIndex, "manifests": manifests})
	if err != nil {
		return err
	}
	l.file("index.json", b)
	b, err = writeTar(l.entries, r.date)
	if err != nil {
		return err
	}
	return os.WriteFile(r.name(name, ""), b, 0o644)
}

// image adds the image of an architecture to a layout.
func (r *release) image(l *layout, arch string) (descriptor, error) {
	files, err := r.imageFiles(arch)
	if err != nil {
		return descriptor{}, err
	}
	tarred, err := writeTar(files, r.date)
	if err != nil {
		return descriptor{}, err
	}
	zipped, err := compress(tarred)
	if err != nil {
		return descriptor{}, err
	}
	layer := l.blob(typeLayer, zipped)
	config, err := l.json(typeConfig, r.imageConfig(arch, "sha256:"+digest(tarred)))
	if err != nil {
		return descriptor{}, err
	}
	// docker load reads this file; versions of it that know layouts ignore it.
	saved, err := json.Marshal([]map[string]any{{
		"Config": "blobs/sha256/" + strings.TrimPrefix(config.Digest, "sha256:"), "RepoTags": []string{"tidemark:" + r.version},
		"Layers": []string{"blobs/sha256/" + strings.TrimPrefix(layer.Digest, "sha256:")},
	}})
	if err != nil {
		return descriptor{}, err
	}
	l.file("manifest.json", saved)
	m, err := l.json(typeManifest, map[string]any{"schemaVersion": 2, "mediaType": typeManifest, "config": config, "layers": []descriptor{layer}})
	m.Platform = &platform{OS: "linux", Architecture: arch}
	return m, err
}

// imageFiles are all files of a container: no shell, no libraries.
func (r *release) imageFiles(arch string) ([]entry, error) {
	program, err := os.ReadFile(r.binary("linux_" + arch))
	if err != nil {
		return nil, err
	}
	agent, err := os.ReadFile(r.agent("linux_" + arch))
	if err != nil {
		return nil, err
	}
	roots, err := os.ReadFile(r.roots)
	if err != nil {
		return nil, err
	}
	licenses, err := os.ReadFile(r.build + "/shared/THIRD-PARTY-LICENSES.txt")
	if err != nil {
		return nil, err
	}
	dir := func(name string, mode int64, owner int) entry {
		return entry{name: name, mode: mode, owner: owner, isDir: true}
	}
	return []entry{
		dir("data", 0o700, owner), dir("tmp", 0o1777, 0), dir("etc", 0o755, 0), dir("etc/ssl", 0o755, 0), dir("etc/ssl/certs", 0o755, 0), dir("licenses", 0o755, 0),
		{name: "tidemark", mode: 0o755, content: program},
		{name: "tidemark-agent", mode: 0o755, content: agent},
		{name: "etc/passwd", mode: 0o644, content: []byte("root:x:0:0:root:/:/sbin/nologin\ntidemark:x:65532:65532:Tidemark:/data:/sbin/nologin\n")},
		{name: "etc/group", mode: 0o644, content: []byte("root:x:0:\ntidemark:x:65532:\n")},
		{name: "etc/ssl/certs/ca-certificates.crt", mode: 0o644, content: roots},
		{name: "licenses/THIRD-PARTY-LICENSES.txt", mode: 0o644, content: licenses},
	}, nil
}

// imageConfig says how a container of the image runs.
func (r *release) imageConfig(arch, layer string) map[string]any {
	const second = int64(time.Second)
	return map[string]any{
		"architecture": arch, "os": "linux", "created": r.date.Format(time.RFC3339),
		"rootfs":  map[string]any{"type": "layers", "diff_ids": []string{layer}},
		"history": []map[string]any{{"created": r.date.Format(time.RFC3339), "created_by": "scripts/release"}},
		"config": map[string]any{
			"User": "65532:65532", "Entrypoint": []string{"/tidemark"}, "Cmd": []string{"serve"}, "WorkingDir": "/",
			"Env":          []string{"PATH=/", "TIDEMARK_DATA=/data", "TIDEMARK_LISTEN=0.0.0.0:8433"},
			"ExposedPorts": map[string]any{"8433/tcp": map[string]any{}}, "Volumes": map[string]any{"/data": map[string]any{}},
			"StopSignal": "SIGTERM",
			"Healthcheck": map[string]any{"Test": []string{"CMD", "/tidemark", "health"}, "Interval": 30 * second, "Timeout": 6 * second,
				"StartPeriod": 60 * second, "Retries": 3},
			"Labels": map[string]string{
				"org.opencontainers.image.title": "Tidemark", "org.opencontainers.image.version": r.version, "org.opencontainers.image.licenses": "Apache-2.0",
				"org.opencontainers.image.source":  "https://github.com/tidemark-metrics/tidemark",
				"org.opencontainers.image.created": r.date.Format(time.RFC3339),
			},
		},
	}
}
