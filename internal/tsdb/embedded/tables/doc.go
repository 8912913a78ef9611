// Package tables keeps keys and values on disk, in Pebble. It is the only
// package that knows Pebble, and knows nothing of what the keys mean.
//
//	store      opening, closing, and opening again after a failure
//	writer     changes as finished tables, taken in by one atomic step
//	iterator   reading in order of keys
//	fs         the file system under Pebble, which keeps it from ending the process
//	inspect    looking at single tables, whether they are sound or not
//	files      directories that survive a power failure
package tables
