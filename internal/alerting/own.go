package alerting

import "github.com/tidemark-metrics/tidemark"

// The metrics that a server records about its alerting, and about itself.
const (
	MetricAlerts   = "tidemark.alerting.alerts"
	MetricSetAside = "tidemark.alerting.set_aside"
	MetricLateMax  = "tidemark.alerting.late.max"
	MetricLateP99  = "tidemark.alerting.late.p99"
	MetricUnsaved  = "tidemark.alerting.unsaved"
	MetricWaiting  = "tidemark.alerting.deliveries.waiting"
	MetricRetrying = "tidemark.alerting.deliveries.retrying"
	MetricOldest   = "tidemark.alerting.deliveries.oldest"

	MetricUptime       = "tidemark.server.uptime"
	MetricProcessor    = "tidemark.server.cpu.percent"
	MetricMemory       = "tidemark.server.memory"
	MetricFiles        = "tidemark.server.files.percent"
	MetricDiskPercent  = "tidemark.server.disk.percent"
	MetricDiskFree     = "tidemark.server.disk.free"
	MetricStorage      = "tidemark.server.storage.bytes"
	MetricStreams      = "tidemark.server.streams"
	MetricMeasurements = "tidemark.server.measurements"
	MetricQueries      = "tidemark.server.queries"
	MetricQueryP95     = "tidemark.server.query.p95"
	MetricTurns        = "tidemark.server.waiting"
	MetricSent         = "tidemark.server.notifications.sent"
	MetricFailed       = "tidemark.server.notifications.failed"
	MetricMailsHeld    = "tidemark.server.mails.held"
	MetricWarnings     = "tidemark.server.log.warnings"
	MetricErrors       = "tidemark.server.log.errors"
	MetricRefusals     = "tidemark.server.storage.refusals"
	MetricFailures     = "tidemark.server.storage.failures"
	MetricBackupAge    = "tidemark.server.backup.age"
	MetricBackupLate   = "tidemark.server.backup.late"
)

// OwnAlerts are alerts on these metrics, for the operator.
//
// While measurements are refused, those about the server are too, which shows
// as silence; the refusal itself is told to the alerts without being recorded.
func OwnAlerts() []*tidemark.Alert {
	return []*tidemark.Alert{
		own("tidemark.alerting.late", "An alert has been evaluated more than a minute late for five minutes.", above(MetricLateMax, 60, 300)),
		own("tidemark.alerting.set_aside", "Alerts cannot be evaluated or saved; their pages say why.", above(MetricSetAside, 0, 300)),
		own("tidemark.alerting.deliveries", "Notifications have failed and are tried again.", above(MetricRetrying, 0, 600)),
		own("tidemark.server.mails", "An organization, service or person sends more mails than the limits let through; the log says which.", above(MetricMailsHeld, 0, 0)),
		own("tidemark.server.silent", "A server has recorded nothing about itself for five minutes: it is down, or measurements are refused.", absent(MetricUptime, 300)),
		own("tidemark.server.refused", "Measurements are refused, or were in the last minute; the log says why.", above(MetricRefusals, 0, 0)),
		own("tidemark.server.disk", "The disk that the data directory is on is over 85 % full.", above(MetricDiskPercent, 85, 300)),
		own("tidemark.server.storage", "Background work of the storage keeps failing; the log says why.", above(MetricFailures, 0, 300)),
		own("tidemark.server.backup", "The next backup is more than an hour late.", above(MetricBackupLate, 3600, 0)),
		own("tidemark.server.errors", "The server has logged an error.", above(MetricErrors, 0, 0)),
		own("tidemark.server.files", "Over 80 % of the files and connections that the server may have are open.", above(MetricFiles, 80, 300)),
	}
}

func own(name, what string, c tidemark.Condition) *tidemark.Alert {
	a := tidemark.NewAlert()
	a.Name, a.Description, a.Conditions = name, &what, []tidemark.Condition{c}
	return a
}

// above holds after so many seconds, or at once if that is 0.
func above(metric string, threshold float64, duration tidemark.Seconds) tidemark.Condition {
	c := tidemark.Condition{Type: tidemark.Above, MetricName: metric, Threshold: &threshold, Tags: []tidemark.TagFilter{}}
	if duration > 0 {
		c.Duration = &duration
	}
	return c
}

func absent(metric string, duration tidemark.Seconds) tidemark.Condition {
	return tidemark.Condition{Type: tidemark.Absent, MetricName: metric, Duration: &duration, Tags: []tidemark.TagFilter{}}
}
