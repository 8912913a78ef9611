export type Side = "above" | "below" | undefined;

/** With less room than this below, and more above, what grows later would not stay below. */
const roomy = 320;

/**
 * On which side of its button something floats. It stays where it is for as
 * long as it fits there: what is inside may grow and shrink while it is used.
 */
export function sideOf(room: { above: number; below: number }, height: number, kept: Side): Side {
  const fits = { above: height <= room.above, below: height <= room.below };
  if (kept && (fits[kept] || !fits[kept === "above" ? "below" : "above"])) return kept;
  if (fits.below && (!fits.above || room.below >= roomy || room.below >= room.above)) return "below";
  return fits.above ? "above" : "below";
}
