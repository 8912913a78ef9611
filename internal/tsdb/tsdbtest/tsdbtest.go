// Package tsdbtest examines implementations of tsdb.Engine. What the comments
// of the interface promise, a test here checks; an engine that passes can
// replace any other.
//
// The exam writes times of the last six days, so an engine may run on the
// real clock with any usual retention.
package tsdbtest

import (
	"slices"
	"testing"

	"github.com/tidemark-metrics/tidemark/internal/tsdb"
)

// question is one part of the exam.
type question struct {
	name string
	ask  func(t *testing.T, x *exam)
	// alone marks those that use the engine from several goroutines, or
	// within a loop over its answers: it cannot be reopened under them.
	alone bool
}

// Option is a part of the exam that not every engine takes.
type Option uint8

// Distributions asks for records with sketches, too.
const Distributions Option = 1

// questions is the whole exam.
func questions(options []Option) []question {
	all := [][]question{
		writeQuestions(), foldQuestions(), selectQuestions(), functionQuestions(), groupQuestions(),
		filterQuestions(), catalogueQuestions(), deleteQuestions(), useQuestions(),
	}
	if slices.Contains(options, Distributions) {
		all = append(all, distributionQuestions())
	}
	var flat []question
	for _, some := range all {
		flat = append(flat, some...)
	}
	return flat
}

// Run examines the engines that open returns. Each must start out empty, and
// is closed by the exam.
func Run(t *testing.T, open func(t *testing.T) tsdb.Engine, options ...Option) {
	for _, q := range questions(options) {
		t.Run(q.name, func(t *testing.T) {
			t.Parallel()
			e := open(t)
			t.Cleanup(func() { e.Close() })
			q.ask(t, newExam(e))
		})
	}
}
