package tidemark

import "testing"

// TestMachineState: a machine is late when a second heartbeat is missing, and
// gone when others take over what it does.
func TestMachineState(t *testing.T) {
	t.Parallel()
	for heartbeat, want := range map[int64]MachineState{0: MachineAnswers, 6: MachineAnswers, 7: MachineLate, 15: MachineLate, 16: MachineGone, 1 << 40: MachineGone} {
		if got := new(MachineLoad).StateAt(heartbeat); got != want {
			t.Errorf("%d seconds after its heartbeat: %s, want %s", heartbeat, got, want)
		}
	}
	leaving := MachineLoad{Draining: true}
	for heartbeat, want := range map[int64]MachineState{0: MachineDraining, 15: MachineDraining, 16: MachineGone} {
		if got := leaving.StateAt(heartbeat); got != want {
			t.Errorf("draining, %d seconds after its heartbeat: %s, want %s", heartbeat, got, want)
		}
	}
}
