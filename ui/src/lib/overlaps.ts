/** For how long a secret goes on beside the one that replaces it, in seconds. */
export const overlaps = [
  { value: "0", label: "none" },
  { value: "3600", label: "1 h" },
  { value: "86400", label: "24 hours" },
  { value: "604800", label: "7 days" },
  { value: "2592000", label: "30 days" },
];
