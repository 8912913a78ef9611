package tidemark

// Invitation asks a person to join an organization. Anyone who has its link and
// is, or becomes, the account of its address can accept it, once.
type Invitation struct {
	ID        int64  `json:"id"`
	Org       OrgID  `json:"-"`
	OrgName   string `json:"-"`
	Email     string `json:"email"` // lower case
	Role      Role   `json:"role" wire:"admin|member|viewer"`
	CreatedAt int64  `json:"created_at"`
	CreatedBy string `json:"created_by"`
	ExpiresAt int64  `json:"expires_at"`

	// Mailed says that only the owner of the mailbox has the link.
	Mailed bool `json:"mailed"`
}

// Validate reports what is wrong with v, or nil.
func (v *Invitation) Validate() error {
	var p Problems
	p.Add("", (&User{Email: v.Email}).Validate())
	p.Check(v.Role.IsMemberRole(), "role", "must be admin, member or viewer")
	return p.Err()
}
