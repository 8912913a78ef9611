// Package catalog knows every metric and stream of the engine: their ids, names
// and tags, and which of them are not saved yet.
//
//	catalog   finding and defining metrics and streams
//	pick      choosing streams by patterns and filters
//	group     grouping them by tags
//	tags      names and values of tags
//	load      what is saved, and what is still to be
package catalog
