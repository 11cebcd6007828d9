/** Where relays write. */
export const targets: readonly [string, ...string[]] = [
  "sim:a0",
  "sim:a1",
  "sim:a2",
  "sim:a3",
  "nowhere:b0",
];

/** Whose books there are. The system's own is `daybook`. */
export const owners: readonly [string, ...string[]] = ["ann", "bob"];
