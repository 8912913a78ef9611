// Command telegraf sends two metrics with telegraf's own outputs,
// unmodified and configured by a telegraf configuration file, as telegraf
// does at the end of an interval. It is a module of its own: telegraf brings
// more dependencies than all of Tidemark.
package main

import (
	"flag"
	"log"
	"time"

	"github.com/influxdata/telegraf/config"
	"github.com/influxdata/telegraf/metric"
	_ "github.com/influxdata/telegraf/plugins/outputs/datadog"
	_ "github.com/influxdata/telegraf/plugins/outputs/graphite"
	_ "github.com/influxdata/telegraf/plugins/outputs/influxdb"
	_ "github.com/influxdata/telegraf/plugins/outputs/influxdb_v2"
	_ "github.com/influxdata/telegraf/plugins/outputs/librato"
)

func main() {
	log.SetFlags(0)
	file := flag.String("config", "telegraf.conf", "telegraf's configuration `file`")
	name := flag.String("name", "agents.telegraf", "what the `names` of the metrics begin with")
	flag.Parse()
	if err := run(*file, *name); err != nil {
		log.Fatal(err)
	}
}

func run(file, name string) error {
	c := config.NewConfig()
	if err := c.LoadConfig(file); err != nil {
		return err
	}
	tags := map[string]string{"host": "web-1", "cpu": "cpu0"}
	now := time.Now()
	for _, o := range c.Outputs {
		if err := o.Init(); err != nil {
			return err
		}
		if err := o.Connect(); err != nil {
			return err
		}
		o.AddMetric(metric.New(name+".cpu", tags, map[string]any{"value": 42.5, "count": int64(7), "up": true}, now))
		o.AddMetric(metric.New(name+".mem", tags, map[string]any{"free": uint64(1 << 40)}, now))
		if err := o.Write(); err != nil {
			return err
		}
		o.Close()
	}
	return nil
}
