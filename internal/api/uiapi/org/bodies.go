package org

import "github.com/tidemark-metrics/tidemark"

// The bodies that routes read. A field that can be left out has omitempty.

// inviteBody is who is invited, and as what.
type inviteBody struct {
	Email string        `json:"email"`
	Role  tidemark.Role `json:"role" wire:"admin|member|viewer"`
}

// memberBody is a member's new role.
type memberBody struct {
	Role tidemark.Role `json:"role" wire:"admin|member|viewer"`
}

// demandBody is whether an organization demands a second factor.
type demandBody struct {
	Demanded bool `json:"demanded"`
}
