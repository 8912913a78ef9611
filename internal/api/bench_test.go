package api

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/store/storetest"
)

const benchService = `{"type":"webhook","title":"hook","settings":{"url":"https://example.org/hook"}}`

func eachWorld(b *testing.B, f func(b *testing.B, w *world)) {
	b.Run("sqlite", func(b *testing.B) { f(b, newWorldOn(b, "sqlite:"+filepath.Join(b.TempDir(), "db"))) })
	b.Run("postgres", func(b *testing.B) { f(b, newWorldOn(b, storetest.Postgres(b))) })
}

// BenchmarkGetService is an authenticated request whose token is in memory.
func BenchmarkGetService(b *testing.B) {
	eachWorld(b, func(b *testing.B, w *world) {
		w.ask("admin", "POST", "/v1/services", benchService)
		b.ReportAllocs()
		for b.Loop() {
			if rec := w.ask("admin", "GET", "/v1/services/1", ""); rec.Code != 200 {
				b.Fatal(rec.Body)
			}
		}
	})
}

// BenchmarkChange is one thing made, changed and deleted: three transactions.
func BenchmarkChange(b *testing.B) {
	eachWorld(b, func(b *testing.B, w *world) {
		for b.Loop() {
			rec := w.ask("admin", "POST", "/v1/services", benchService)
			at := rec.Header().Get("Location")
			put := w.ask("admin", "PUT", at, `{"title":"renamed"}`)
			del := w.ask("admin", "DELETE", at, "")
			if rec.Code != 201 || put.Code != 204 || del.Code != 204 {
				b.Fatal(fmt.Sprint(rec.Code, put.Code, del.Code))
			}
		}
	})
}
