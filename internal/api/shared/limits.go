package shared

// MaxEvents is how many annotations an answer holds.
const MaxEvents = 10_000

// DaySeconds is a day.
const DaySeconds = 24 * 3600
