package app

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"time"

	"github.com/tidemark-metrics/tidemark"
	"github.com/tidemark-metrics/tidemark/internal/config"
	"github.com/tidemark-metrics/tidemark/internal/seal"
	"github.com/tidemark-metrics/tidemark/internal/store"
)

// keyFile is the usual name of the file of keys in the data directory. No
// backup has it.
const keyFile = "secrets.key"

// sealAgain is how long the server waits before it looks again whether it can
// seal what earlier versions left in clear.
const sealAgain = time.Minute

// openKeys gives the store the keys of its secrets. They are made where the
// database has none. Where it has, a new key would be of no use, and two
// servers with different keys could not read each other's secrets: so a server
// without the file works without secrets.
func openKeys(ctx context.Context, cfg *config.Config, st *store.Store) error {
	path := cfg.KeyFile()
	keys, err := seal.OpenFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		keys, err = missingKeys(ctx, st, path)
	}
	if err != nil {
		return err
	}
	return st.UseKeys(ctx, keys)
}

func missingKeys(ctx context.Context, st *store.Store, path string) (*seal.Keys, error) {
	current, err := st.SealingKey(ctx)
	if err != nil {
		return nil, err
	}
	if current != "" {
		return seal.Absent(path), nil
	}
	return seal.MakeFile(path)
}

// sealSecrets seals what earlier versions left in clear, and says what is
// wrong with the keys.
func (rm *rooms) sealSecrets(ctx context.Context, log *slog.Logger) error {
	rm.tellKeys(ctx, log)
	for {
		done, err := rm.sealOnce(ctx, log)
		if err != nil && ctx.Err() == nil {
			log.Error("secrets of earlier versions were not encrypted: retrying in a minute", slog.Any("err", err))
		}
		if done {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(sealAgain):
		}
	}
}

// sealOnce does nothing while a server of another version runs on the same
// database: one that is older reads secrets in clear only.
func (rm *rooms) sealOnce(ctx context.Context, log *slog.Logger) (done bool, err error) {
	nodes, err := rm.store.Nodes(ctx)
	if err != nil {
		return false, err
	}
	for _, n := range nodes {
		if n.Age <= int64(store.NodeTimeout.Seconds()) && n.Version != Version() {
			log.Warn("secrets of earlier versions are encrypted once all servers run this version", slog.String("server", n.ID), slog.String("version", n.Version))
			return false, nil
		}
	}
	n, err := rm.store.SealServices(ctx)
	if n > 0 {
		log.Info("encrypted the secrets of services", slog.Int("services", n))
	}
	if err != nil {
		return false, err
	}
	return true, rm.store.Sweep(ctx)
}

// tellKeys logs what an operator has to do about the keys.
func (rm *rooms) tellKeys(ctx context.Context, log *slog.Logger) {
	status, err := rm.store.SecretsStatus(ctx)
	if err != nil {
		log.Error("the state of secrets is not known", slog.Any("err", err))
		return
	}
	for _, k := range status.Keys {
		if !k.There {
			log.Error("a key of the secrets is missing: services with secrets do not work until the key file is back; all else does",
				slog.String("key", k.ID), slog.String("file", status.File), slog.Int64("secrets", k.Sealed))
		}
	}
	if !status.Private && len(status.Keys) > 0 && status.Keys[0].There {
		log.Warn("others on this machine can read the key file", slog.String("file", status.File))
	}
	if status.Rotating {
		log.Warn("a rotation of the key of secrets was interrupted: tidemark secrets rotate resumes it")
	}
}

// SecretsNote says what a person has to know of the secrets in a data directory
// that was restored, or "".
func SecretsNote(ctx context.Context, cfg *config.Config) (string, error) {
	st, err := store.Open(ctx, cfg.DatabaseURL())
	if err != nil {
		return "", err
	}
	defer st.Close()
	current, err := st.SealingKey(ctx)
	if err != nil || current == "" {
		return "", err
	}
	keys, err := seal.OpenFile(cfg.KeyFile())
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && !keys.Has(current):
		return "The secrets of services are encrypted with key " + current + ", which no backup has: put the key file at " + cfg.KeyFile() +
			". Without it all works but services with secrets, whose secrets must then be entered again (tidemark secrets new-key).", nil
	case err != nil:
		return "", tidemark.Errorf(tidemark.Invalid, "%v", err)
	}
	return "", nil
}
