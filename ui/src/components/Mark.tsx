/** The mark: water under a line. */
export function Mark({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" style={{ flex: "none" }}>
      <rect width="32" height="32" rx="8.6" fill="#0B6B69" />
      <path d="M7 11h18" stroke="#9FD6D3" strokeWidth="2.4" strokeLinecap="round" fill="none" />
      <path d="M7 19.5c3-3.4 6-3.4 9 0s6 3.4 9 0" stroke="#fff" strokeWidth="2.8" strokeLinecap="round" fill="none" />
    </svg>
  );
}
