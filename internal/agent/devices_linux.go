package agent

import (
	"bytes"
	"strings"
	"syscall"
)

// noDisk are file systems that are no disk, or whose server may hang.
var noDisk = map[string]bool{
	"squashfs": true, "iso9660": true, "overlay": true, "tmpfs": true, "devtmpfs": true, "ramfs": true, "autofs": true,
	"nfs": true, "nfs4": true, "cifs": true, "smb3": true, "ceph": true, "9p": true, "efivarfs": true, "nsfs": true,
}

// filesystems adds how full disks are: each device once, and / whatever it is
// on.
func (h *host) filesystems(b *body) error {
	text, err := h.file("self/mounts")
	if err != nil {
		return err
	}
	seen := make(map[string]bool)
	for line := range bytes.Lines(text) {
		f := strings.Fields(string(line))
		if len(f) < 3 {
			continue
		}
		device, mount, kind := f[0], unescapeMount(f[1]), f[2]
		disk := strings.HasPrefix(device, "/") || kind == "zfs" || kind == "btrfs"
		if mount != "/" && (!disk || noDisk[kind] || strings.HasPrefix(kind, "fuse") || inContainer(mount)) || seen[device] {
			continue
		}
		seen[device] = true
		h.filesystem(b, mount)
	}
	return nil
}

// inContainer reports whether something is mounted for a container or a part
// of the system that has no say over its size.
func inContainer(mount string) bool {
	for _, p := range []string{"/etc/", "/proc/", "/sys/", "/dev/", "/snap/", "/var/lib/docker/", "/var/lib/containers/", "/var/lib/kubelet/", "/run/"} {
		if strings.HasPrefix(mount, p) {
			return true
		}
	}
	return false
}

// unescapeMount reads the \040 of a blank, as the kernel writes it.
func unescapeMount(s string) string {
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(s)
}

// filesystem counts as df does: what is reserved for root is not available.
func (h *host) filesystem(b *body, mount string) {
	var s syscall.Statfs_t
	if syscall.Statfs(mount, &s) != nil || s.Blocks == 0 {
		return // unmounted meanwhile, or not for us to see
	}
	size := float64(s.Bsize)
	used, free := float64(s.Blocks-s.Bfree)*size, float64(s.Bavail)*size
	if used+free > 0 {
		b.value("host.disk.percent", unitPercent, 100*used/(used+free), "mount", mount)
	}
	b.value("host.disk.used", unitBytes, used, "mount", mount)
	b.value("host.disk.free", unitBytes, free, "mount", mount)
	if s.Files > 0 {
		b.value("host.disk.inodes.percent", unitPercent, 100*float64(s.Files-s.Ffree)/float64(s.Files), "mount", mount)
	}
}

// diskTotals are what a disk did since the machine started.
type diskTotals struct{ read, written, reads, writes, busy uint64 }

const sectorSize = 512 // whatever the disk has

// diskIO adds what disks read and write. Parts of disks are left out.
func (h *host) diskIO(b *body) error {
	text, err := h.file("diskstats")
	if err != nil {
		return nil //nolint:nilerr // containers have none
	}
	for line := range bytes.Lines(text) {
		f := bytes.Fields(line)
		if len(f) < 13 || !isDisk(string(f[2])) {
			continue
		}
		name := string(f[2])
		now := diskTotals{reads: number(f[3]), read: number(f[5]), writes: number(f[7]), written: number(f[9]), busy: number(f[12])}
		before, known := h.disks[name]
		h.disks[name] = now
		if !known || h.elapsed <= 0 {
			continue
		}
		b.value("host.disk.read", unitRate, float64(more(now.read, before.read)*sectorSize)/h.elapsed, "device", name)
		b.value("host.disk.written", unitRate, float64(more(now.written, before.written)*sectorSize)/h.elapsed, "device", name)
		b.value("host.disk.operations", unitNone, float64(more(now.reads, before.reads)+more(now.writes, before.writes))/h.elapsed, "device", name)
		b.value("host.disk.busy", unitPercent, min(100, float64(more(now.busy, before.busy))/h.elapsed/10), "device", name)
	}
	return nil
}

// isDisk tells whole disks from their parts by the names that Linux gives.
func isDisk(name string) bool {
	for _, p := range []string{"loop", "ram", "zram", "sr", "fd"} {
		if strings.HasPrefix(name, p) {
			return false
		}
	}
	last := name[len(name)-1]
	digit := last >= '0' && last <= '9'
	if strings.HasPrefix(name, "nvme") || strings.HasPrefix(name, "mmcblk") {
		return !strings.Contains(name[4:], "p") || !digit
	}
	if strings.HasPrefix(name, "dm-") || strings.HasPrefix(name, "md") {
		return true
	}
	return !digit
}

// netTotals are what an interface did since it came up.
type netTotals struct{ in, out, packetsIn, packetsOut, errors uint64 }

func (h *host) network(b *body) error {
	text, err := h.file("net/dev")
	if err != nil {
		return err
	}
	for line := range bytes.Lines(text) {
		name, rest, ok := bytes.Cut(line, []byte(":"))
		f := bytes.Fields(rest)
		device := string(bytes.TrimSpace(name))
		if !ok || len(f) < 16 || isVirtual(device) {
			continue
		}
		now := netTotals{in: number(f[0]), packetsIn: number(f[1]), out: number(f[8]), packetsOut: number(f[9]),
			errors: number(f[2]) + number(f[3]) + number(f[10]) + number(f[11])}
		before, known := h.nets[device]
		h.nets[device] = now
		if !known || h.elapsed <= 0 {
			continue
		}
		rate := func(a, b uint64) float64 { return float64(more(a, b)) / h.elapsed }
		b.value("host.network.in", unitRate, rate(now.in, before.in), "interface", device)
		b.value("host.network.out", unitRate, rate(now.out, before.out), "interface", device)
		b.value("host.network.packets.in", unitNone, rate(now.packetsIn, before.packetsIn), "interface", device)
		b.value("host.network.packets.out", unitNone, rate(now.packetsOut, before.packetsOut), "interface", device)
		b.value("host.network.errors", unitNone, rate(now.errors, before.errors), "interface", device)
	}
	return nil
}

// isVirtual is for interfaces that come and go with containers, and that of
// the machine to itself.
func isVirtual(device string) bool {
	if device == "lo" {
		return true
	}
	for _, p := range []string{"veth", "cali", "lxc", "cni", "br-", "docker", "virbr", "tap", "flannel"} {
		if strings.HasPrefix(device, p) {
			return true
		}
	}
	return false
}
