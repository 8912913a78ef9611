const programs: [RegExp, string][] = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrom(?:e|ium)\//, "Chrome"],
  [/Version\/.*Safari\//, "Safari"],
];
const systems: [RegExp, string][] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux|X11/, "Linux"],
];

/** What a person calls a browser: "Firefox on Linux"; other programs by their own first word. */
export function browserName(userAgent: string): string {
  if (!userAgent) return "Unknown browser";
  const program = programs.find(([p]) => p.test(userAgent))?.[1];
  if (!program) return userAgent.split(/[/ (]/)[0] || userAgent;
  const system = systems.find(([p]) => p.test(userAgent))?.[1];
  return system ? `${program} on ${system}` : program;
}
