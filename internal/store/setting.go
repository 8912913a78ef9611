package store

import "context"

// Setting returns a value that belongs to the whole installation, such as a
// signing key. It is NotFound if it was never set.
func (s *Store) Setting(ctx context.Context, name string) ([]byte, error) {
	return s.setting(ctx, s.db, name)
}

func (s *Store) setting(ctx context.Context, q conn, name string) ([]byte, error) {
	return value[[]byte](ctx, s, q, "setting", `SELECT value FROM settings WHERE name = ?`, name)
}

// SetSettingOnce sets a value unless there is one, and returns the one there
// is: of several nodes that start at once, all get the same.
func (s *Store) SetSettingOnce(ctx context.Context, name string, v []byte) ([]byte, error) {
	var got []byte
	err := s.write(ctx, func(tx conn) error {
		_, err := s.exec(ctx, tx, `INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING`, name, v)
		if err != nil {
			return err
		}
		got, err = s.setting(ctx, tx, name)
		return err
	})
	return got, err
}

// SetSetting sets a value, whatever there was.
func (s *Store) SetSetting(ctx context.Context, name string, v []byte) error {
	_, err := s.exec(ctx, s.writer, `
		INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, v)
	return err
}

// DeleteSetting removes a value, if there is one.
func (s *Store) DeleteSetting(ctx context.Context, name string) error {
	_, err := s.exec(ctx, s.writer, `DELETE FROM settings WHERE name = ?`, name)
	return err
}
