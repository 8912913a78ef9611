package store

import (
	"context"
	"strings"

	"github.com/tidemark-metrics/tidemark"
)

var userColumns = columns[tidemark.User]{
	noun:  "user",
	names: `id, email, name, password_hash, created_at`,
	dest: func(v *tidemark.User) []any {
		return []any{&v.ID, &v.Email, &v.Name, &v.PasswordHash, &v.CreatedAt}
	},
}

// CreateUser adds a user, who belongs to no organization yet, and sets v's ID
// and CreatedAt.
func (s *Store) CreateUser(ctx context.Context, v *tidemark.User) error {
	if err := v.Validate(); err != nil {
		return err
	}
	v.CreatedAt = s.now()
	return taken(insert(ctx, s, s.writer, &v.ID, `
		INSERT INTO users (email, name, password_hash, created_at)
		VALUES (?, ?, ?, ?)
		RETURNING id`,
		v.Email, v.Name, v.PasswordHash, v.CreatedAt), "email")
}

// User returns one user.
func (s *Store) User(ctx context.Context, id int64) (*tidemark.User, error) {
	return one(ctx, s, s.db, userColumns, `FROM users WHERE id = ?`, id)
}

// UserByEmail returns the user with an e-mail address, whatever its case.
func (s *Store) UserByEmail(ctx context.Context, email string) (*tidemark.User, error) {
	return one(ctx, s, s.db, userColumns, `FROM users WHERE email = ?`, strings.ToLower(email))
}

// SetPassword replaces the hash of a user's password.
func (s *Store) SetPassword(ctx context.Context, id int64, hash string) error {
	return s.affect(ctx, s.writer, "user", `UPDATE users SET password_hash = ? WHERE id = ?`, hash, id)
}

// SetUserName replaces a user's name.
func (s *Store) SetUserName(ctx context.Context, id int64, name string) error {
	_, err := edit(ctx, s, userColumns, `FROM users WHERE id = ?`, []any{id},
		func(v *tidemark.User) { v.Name = name },
		func(tx conn, v *tidemark.User) error {
			_, err := s.exec(ctx, tx, `UPDATE users SET name = ? WHERE id = ?`, v.Name, id)
			return err
		})
	return err
}

// HasUsers reports whether anybody can sign in.
func (s *Store) HasUsers(ctx context.Context) (bool, error) {
	found, err := values[int64](ctx, s, s.db, `SELECT id FROM users LIMIT 1`)
	return len(found) > 0, err
}
