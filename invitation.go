package tidemark

// Invitation asks a person to join an organization. Whoever has its link and
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

	// Mailed says that only whoever reads the mail of the address has the link.
	Mailed bool `json:"mailed"`
}

// Validate reports what is wrong with v, or nil.
func (v *Invitation) Validate() error {
	var p Problems
	p.Add("", (&User{Email: v.Email}).Validate())
	p.Check(v.Role.IsMemberRole(), "role", "must be admin, member or viewer")
	return p.Err()
}
