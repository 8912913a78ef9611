package tidemark

// What one measurement may be, and one request may carry.
const (
	MaxName        = 255 // characters of a metric's name
	MaxTagName     = 64
	MaxTagValue    = 255
	MaxTags        = 50
	MaxBatch       = 10_000   // measurements in one request
	MaxBatchBytes  = 16 << 20 // of its body, decompressed
	MaxTimeAhead   = 3600     // seconds
	MaxExponent    = 126      // decimal exponent of any number sent
	ValueLimit     = 1e127    // the least number over it
	MinExponent    = -130     // below it a number counts as 0
	MaxResolution  = 604_800  // seconds
	MinFoldPeriod  = 10       // seconds that measurements may be folded by
	MaxFoldPeriod  = 600
	DefaultPeriod  = 60
	UnassignedName = "unassigned" // the source of what names none
)

// What a template of messages may be and do.
const (
	MaxTemplateBytes  = 32 << 10
	MaxTemplateSteps  = 20_000   // nodes that are executed
	MaxTemplateOutput = 64 << 10 // bytes of the result, and of any text on the way
	MaxTemplateWork   = 4 << 20  // bytes of all texts that are made on the way
)
