package store_test

import (
	"reflect"
	"regexp"
	"testing"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// nobodysWish are the methods that change something and name nobody, each with
// the reason.
var nobodysWish = map[string]string{
	"EnsureMetrics":      "measurements make metrics",
	"CreateEvent":        "annotations are data, as measurements are",
	"SetPins":            "which spaces a person keeps at hand is theirs alone",
	"OpenSpace":          "that somebody looked at a space is no change",
	"RewindDeliveries":   "what becomes of notifications",
	"SetSessionOrg":      "where a person looks is theirs alone",
	"RotateSession":      "the server replaces secrets by itself",
	"RetireOldSecret":    "the server replaces secrets by itself",
	"TouchSession":       "that somebody was here is no change",
	"TouchShare":         "that somebody was here is no change",
	"TouchTokens":        "that a token was used is no change",
	"UseOneTimeKey":      "part of a sign-in, which is audited by its outcome",
	"CreateStepKey":      "part of a sign-in, which is audited by its outcome",
	"ProveSession":       "part of what somebody does next, which is audited",
	"BeginTOTP":          "counts for nothing until ConfirmTOTP",
	"UseTOTP":            "part of a sign-in, which is audited by its outcome",
	"UsePasskey":         "part of a sign-in, which is audited by its outcome",
	"CreateSignInKey":    "part of a sign-in, which is audited by its outcome",
	"ReplaceSetupKey":    "a new server makes its key when it starts",
	"AgeAlert":           "makes up the past of a demo",
	"AgeToken":           "makes up the past of a demo",
	"CreateJob":          "work of the server",
	"UpdateJob":          "work of the server",
	"SaveSnapshotImage":  "work of the server; the operation was CreateSnapshot",
	"SaveStates":         "what alerts find out",
	"SaveCheckState":     "what checks find out",
	"SaveCheckResult":    "what checks find out",
	"SeePlace":           "that an agent is there is no change",
	"SaveStatesUnder":    "what alerts find out",
	"Finish":             "what becomes of notifications",
	"FinishReport":       "what becomes of reports",
	"TakeDue":            "what becomes of notifications",
	"Release":            "what becomes of notifications",
	"AddSenders":         "counts",
	"AddTokenUses":       "counts",
	"AddUsage":           "counts",
	"AddLimitUse":        "counts",
	"DeleteLimitDays":    "counts that are old",
	"DeleteSenders":      "counts that are old",
	"DeleteTokenUses":    "counts that are old",
	"DeleteExpired":      "what is over",
	"PruneAlerting":      "what is old",
	"PruneAudit":         "what is old",
	"PruneEvents":        "what is old",
	"PruneJobs":          "what is old",
	"PruneVersions":      "what is old",
	"Editing":            "that somebody is here is no change",
	"StopEditing":        "that somebody is here is no change",
	"SetSetting":         "what the server remembers for itself",
	"UseKeys":            "what the server remembers for itself",
	"PictureKey":         "what the server remembers for itself",
	"PushKey":            "what the server remembers for itself",
	"ForgetDevice":       "its browser ended the subscription",
	"SealServices":       "an upgrade; nothing changes but how it is kept",
	"Sweep":              "an upgrade; nothing changes but how it is kept",
	"SetSettingOnce":     "what the server remembers for itself",
	"DeleteSetting":      "what the server remembers for itself",
	"AddSamples":         "counts",
	"Beat":               "that a server runs is no change",
	"Join":               "that a server runs is no change",
	"Leave":              "that a server runs is no change",
	"PruneNodes":         "what is old",
	"GrantedElsewhere":   "servers share their work",
	"TakeLease":          "servers share their work",
	"DeactivateIdle":     "takes the server itself",
	"OrgIDByShortName":   "a read",
	"DerivedSecret":      "a read",
	"CheckMoved":         "how far a move of everything is, which nobody sees afterwards",
	"CopyTo":             "how far a move of everything is, which nobody sees afterwards",
	"CountRows":          "how far a move of everything is, which nobody sees afterwards",
	"ForgetMoved":        "how far a move of everything is, which nobody sees afterwards",
	"ForgetMovedPart":    "how far a move of everything is, which nobody sees afterwards",
	"LockMove":           "how far a move of everything is, which nobody sees afterwards",
	"Move":               "how far a move of everything is, which nobody sees afterwards",
	"MovedMetrics":       "how far a move of everything is, which nobody sees afterwards",
	"MovedOrgs":          "how far a move of everything is, which nobody sees afterwards",
	"MovedParts":         "how far a move of everything is, which nobody sees afterwards",
	"SaveMove":           "how far a move of everything is, which nobody sees afterwards",
	"SaveMovedParts":     "how far a move of everything is, which nobody sees afterwards",
	"ReleaseLease":       "servers share their work",
	"BeginCommit":        "measurements",
	"AddSpellings":       "how the tags of measurements were first written",
	"SetEngineMark":      "what the engine remembers for itself",
	"SwapEngineMark":     "what the engine remembers for itself",
	"SetEngineMode":      "what the engine remembers for itself",
	"DeleteEngineMetric": "what the engine remembers for itself; the operation was DeleteMetric",
	"BackupTo":           "changes nothing; RecordBackup is audited",
	"DumpTo":             "changes nothing; RecordBackup is audited",
	"ProbeWrite":         "changes nothing that anybody reads",
	"SetLimits":          "changes nothing that is stored",
	"WatchAudit":         "changes nothing that is stored",
}

// reads matches the names of methods that only read.
var reads = regexp.MustCompile(`^(Account|ActiveChecks|AgentUses|Check|CheckByHash|Checks|Alert.*|Annotation.*|Audit.*|Chart.*|Close|CountFiring|DeletedThings|Devices|DeviceService|Editors|Deliver(y|ies)|DeliveryBacklog|Each.*|Engine(Mark|Metrics)|Event|Events|EventsBetween|` +
	`HasUsers|Incident|IncidentDeliveries|Incidents.*|InPostgres|Invitation.*|Job|LastFired|LatestVersion|Layout|Leases|LimitDays|LimitRequests|LimitUses?|Listen.*|Load|Maintenance|MaintenanceWindows|MatchMetrics|Members.*|Metric.*|Nodes|Objective|Objectives|OneTimeKey|OpenLimitRequests|Operators|Org|PasskeyByCredential|RecentCredentials|RecoveryCodes|SecondFactors|TOTP|OrgByName|OrgLimits|Orgs|Ping|Pins|Places?|Playlists?|PlaylistShares|DueReports|Reports?|ReportPicture|` +
	`Recipient|RemovedGenerations|Samples|SavedQueries|SavesBetween|SealingKey|SearchAlerts|SearchCharts|SecretsStatus|SenderAddresses|Senders|ServerAudit|Service|ServiceDeliveries|Services|Session.*|Setting|Share|ShareByHash|Shares|Snapshot.*|Snoozes.*|Source|Sources|Space|SpaceAbout|Spaces|SpacesAbout|SpacesOpened|SpaceVersionCharts|Spellings|` +
	`String|TagDrops|Token.*|UnitsOf|Usage|Users?|UserByEmail|WatchedAlerts?|Versions?|WatchedAlertsOf|WindowsIn)$`)

// TestActors: every method that changes something says who wants it, right
// after the organization, or has a reason not to.
func TestActors(t *testing.T) {
	actor := reflect.TypeFor[tidemark.Actor]()
	listed := 0
	for m := range reflect.TypeFor[*store.Store]().Methods() {
		at := 2 // after the receiver and the context
		if takesOrg(m.Type) {
			at = 3
		}
		has := m.Type.NumIn() > at && m.Type.In(at) == actor
		_, exempt := nobodysWish[m.Name]
		if exempt {
			listed++
		}
		switch {
		case reads.MatchString(m.Name) && (has || exempt):
			t.Errorf("%s is said to read only", m.Name)
		case has && exempt:
			t.Errorf("%s has an actor and a reason not to", m.Name)
		case !has && !exempt && !reads.MatchString(m.Name) && m.Name != "SetClock":
			t.Errorf("%s says neither who wants it nor why nobody does", m.Name)
		}
	}
	if listed != len(nobodysWish) {
		t.Errorf("%d of %d methods with a reason are there", listed, len(nobodysWish))
	}
}
