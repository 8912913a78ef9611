package tidemark

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

// MachineLoad is how much a machine has to do, and room for.
type MachineLoad struct {
	Measurements float64 `json:"measurements"` // recorded by it, a second
	Memory       int64   `json:"memory"`       // bytes it uses
	MemoryLimit  int64   `json:"memory_limit"` // bytes it is to use at most; 0 if nothing says so
	DiskFree     int64   `json:"disk_free"`    // bytes, of the disk that its data directory is on
	DiskSize     int64   `json:"disk_size"`
	Behind       float64 `json:"behind"` // seconds that the evaluation of alerts is late, where it evaluates them
}

// MachineState says whether a machine answers.
type MachineState string

// The states of machines.
const (
	MachineAnswers MachineState = "answers"
	MachineLate    MachineState = "late" // its heartbeat is overdue
	MachineGone    MachineState = "gone" // for so long that others do its work
)

// How many seconds after its last heartbeat a machine is late, and gone.
const (
	lateHeartbeat = 6
	goneHeartbeat = 15
)

// MachineStateAt is the state of a machine so many seconds after its heartbeat.
func MachineStateAt(heartbeat int64) MachineState {
	switch {
	case heartbeat > goneHeartbeat:
		return MachineGone
	case heartbeat > lateHeartbeat:
		return MachineLate
	}
	return MachineAnswers
}
