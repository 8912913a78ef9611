// Package chunk encodes the records of a stream and reads them back, whole or
// window by window. It knows no files and no keys.
//
// A Run holds records in memory: it resolves records that came late or twice,
// and is cut and encoded as chunks. A Sink makes something of chunks without
// decoding more of them than it must: Sums and Summaries the points of a query,
// Rollup the records of a tier. A Weaver feeds a sink with chunks that have
// later records over them.
//
//	run cut                            records in memory
//	chunk summary slots                the layout of a chunk
//	column column_read float encoded   columns of integers and floats
//	decimals                           values that are whole multiples of 10^-k
//	sink sums summaries rollup weave   what is made of chunks
//	sketches distributions             sketches of records, and what is made of them
//	overdue                            chunks of overdue records
//
// The layout is in docs/storage.md. Decoding loads eight bytes at a time and may
// reach past the end of a chunk, so it takes Encoded data only, which has room
// there; no other package of the engine uses unsafe.
package chunk
