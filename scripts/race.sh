# Sourced by what compiles with the race detector, so that all share one cache.
#
# SQLite is C that was translated to Go. Watching each of its accesses takes
# more time than all tests of ours together and says nothing about our code,
# which meets it through database/sql only.
race=(-race '-gcflags=modernc.org/sqlite/lib=-race=false -d=checkptr=0')
