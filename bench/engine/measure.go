package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"syscall"
	"time"
)

// cpu returns the processor time that this process has used, in seconds.
func cpu() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return seconds(u.Utime) + seconds(u.Stime)
}

func seconds(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }

// idle waits until what was begun is done: until hardly any processor time is
// used, for some seconds at most.
func idle() {
	const look, most = 200 * time.Millisecond, 25
	for range most {
		before := cpu()
		time.Sleep(look)
		if cpu()-before < look.Seconds()/50 {
			return
		}
	}
}

// profiled does the job and leaves a profile of its processor time if asked.
func (j *job) profiled() (result, error) {
	if j.Profile == "" {
		return j.measure()
	}
	file, err := os.Create(filepath.Join(j.Profile, j.Name+"-"+j.Engine+".pprof"))
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	r, err := j.measure()
	pprof.StopCPUProfile()
	return r, errors.Join(err, file.Close())
}

// heap returns the bytes in use after a collection.
func heap() float64 {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// dirBytes returns the size of all files below dir.
func dirBytes(dir string) (float64, error) {
	total := int64(0)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if os.IsNotExist(err) { // removed meanwhile
			return nil
		}
		if err == nil {
			total += info.Size()
		}
		return err
	})
	return float64(total), err
}

// settledBytes returns the size of all files below dir once it stays the same:
// files that are not needed any more are removed a moment later.
func settledBytes(dir string) (float64, error) {
	last := -1.0
	for range 20 {
		n, err := dirBytes(dir)
		if err != nil || n == last {
			return n, err
		}
		last = n
		time.Sleep(250 * time.Millisecond)
	}
	return last, nil
}

// percentile returns the p-th percentile of values, which it sorts, in ms.
func percentile(d []time.Duration, p float64) float64 {
	if len(d) == 0 {
		return 0
	}
	slices.Sort(d)
	i := min(len(d)-1, int(p/100*float64(len(d))))
	return float64(d[i].Microseconds()) / 1000
}

// timeQuery runs a query some times and adds its median, in ms of wall time
// and of processor time, to r.
func timeQuery(r result, name string, want int, query func() (int, error)) error {
	const warm, most, enough = 2, 30, 2 * time.Second
	var walls []time.Duration
	var before float64
	var spent time.Duration
	for i := 0; i < warm+most && (i < warm+5 || spent < enough); i++ {
		if i == warm {
			before = cpu()
		}
		begin := time.Now()
		n, err := query()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if n != want {
			return fmt.Errorf("%s gives %d points, want %d", name, n, want)
		}
		if i >= warm {
			walls = append(walls, time.Since(begin))
			spent += time.Since(begin)
		}
	}
	r[name] = percentile(walls, 50)
	r[name+" cpu"] = (cpu() - before) / float64(len(walls)) * 1000
	return nil
}
