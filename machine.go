package tidemark

// Machines are the servers on one control store, and the leases that say which
// of them does what for all.
type Machines struct {
	Machines []Machine      `json:"machines"`
	Leases   []MachineLease `json:"leases"`
}

// MachineLease is the right to do something for all machines.
type MachineLease struct {
	Name   string `json:"name"`
	Holder string `json:"holder"` // the id of a machine; empty if none has it
	Number int64  `json:"number"` // grows with each process that takes it
}

// Machine is a server that uses the control store, as operators see it.
type Machine struct {
	ID        string       `json:"id"` // stays the same when it is started again
	Address   string       `json:"address"`
	Version   string       `json:"version"`
	Engine    string       `json:"engine"` // where its measurements are
	StartedAt int64        `json:"started_at"`
	Heartbeat int64        `json:"heartbeat"` // seconds since it last said that it is there
	State     MachineState `json:"state"`
	Does      []string     `json:"does"` // what it does for all of them
	MachineLoad
}

// MachineLoad is what a machine says with its heartbeat: where it is, how much
// it has to do, and room for.
type MachineLoad struct {
	Zone         string  `json:"zone"`         // its setting; empty if it has none
	Draining     bool    `json:"draining"`     // it was told to stop, and finishes what is under way
	Measurements float64 `json:"measurements"` // recorded by it, a second
	Memory       int64   `json:"memory"`       // bytes it uses
	MemoryLimit  int64   `json:"memory_limit"` // bytes it is to use at most; 0 if nothing says so
	DiskFree     int64   `json:"disk_free"`    // bytes, of the disk that its data directory is on
	DiskSize     int64   `json:"disk_size"`
	Behind       float64 `json:"behind"` // seconds that the evaluation of alerts is late, where it evaluates them
	// BehindPast is the most that it was behind in each minute of the last hour
	// that it runs, oldest first.
	BehindPast []float64 `json:"behind_past"`
	Queries    float64   `json:"queries"`   // for measurements, a minute, of the last five minutes
	QueryP95   float64   `json:"query_p95"` // seconds in which 95 of 100 of them were answered
}

// MachineState says whether a machine answers.
type MachineState string

// The states of machines.
const (
	MachineAnswers  MachineState = "answers"
	MachineDraining MachineState = "draining" // it was told to stop, and finishes what is under way
	MachineLate     MachineState = "late"     // its heartbeat is overdue
	MachineGone     MachineState = "gone"     // for so long that others do its work
)

// How many seconds after its last heartbeat a machine is late, and gone.
const (
	lateHeartbeat = 6
	goneHeartbeat = 15
)

// StateAt is the state of a machine so many seconds after its heartbeat.
func (l *MachineLoad) StateAt(heartbeat int64) MachineState {
	switch {
	case heartbeat > goneHeartbeat:
		return MachineGone
	case l.Draining:
		return MachineDraining
	case heartbeat > lateHeartbeat:
		return MachineLate
	}
	return MachineAnswers
}
