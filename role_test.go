package tidemark

import "testing"

// TestAllows is the policy once more, as the table that users know.
func TestAllows(t *testing.T) {
	want := map[Role]string{ // one column for each of Actions: Manage, Edit, Record, View, ViewMetrics, Comment
		FullAccess: "++++++",
		Member:     "-+++++",
		RecordOnly: "--+-+-",
		ViewOnly:   "---+++",
		"":         "------",
		"owner":    "------",
	}
	for role, row := range want {
		for i, action := range Actions {
			if got := role.Allows(action); got != (row[i] == '+') {
				t.Errorf("%q allows action %d: %v", role, action, got)
			}
		}
	}
}
