/** Errors that stay English: who reads them is a program, a log, or somebody who writes a program. */
export const english: readonly (readonly [files: RegExp, reason: string])[] = [
  [
    /^adapters\//,
    "failures of outside services: the reason of a message, a run or a workspace, and the log",
  ],
  [/^stores\//, "setup and damage of a store: for whoever operates it, and the log"],
  [
    /^platform\/(?:byte-stream|disk-fault|optional-package|tar\/)/,
    "archives and packages: the reason of a workspace or a run, and the log",
  ],
  [
    /^features\/workspaces\/(?:actuator|archive-unit|attempt|observer)\.ts/,
    "actions of a node: the reason of a workspace",
  ],
  [
    /^kernel\/(?:check-field|kind-guard|lease-renewer|stream-writer)\.ts|^kernel\/(?:key-hash|check)\.ts/,
    "checks of what features hand to the ledger: for programmers",
  ],
  [
    /^app\/(?:library|testing-kit)\/|^app\/(?:embed|own-store|plugins)\.ts|^features\/tasks\/function(?:-runner)?\.ts|^features\/schedules\/next-fire\.ts/,
    "the library: for programmers",
  ],
  [
    /^features\/nags\/(?:routes\.ts|sync\/)|^features\/(?:calendars|events|schedules|workspaces)\/routes\.ts|^features\/workspaces\/(?:route-input|event-stream)\.ts|^features\/tasks\/callback\.ts|^interfaces\/http\/(?:attach|admission)\.ts/,
    "paths that programs call",
  ],
  [
    /^kernel\/files\.ts|^features\/events\/file\.ts/,
    "dropped files: the error stands beside the file",
  ],
  [
    /^features\/events\/(?:result|messages)\.ts|^features\/tasks\/notice\.ts/,
    "results of runs: the reason of a run",
  ],
  [
    /^app\/config\/|^app\/daemon\/(?:sentry|local)\.ts/,
    "settings: the line, the key and the rule, in the words of the file",
  ],
];

/** Parts of a sentence that are values: names of inputs and methods. */
export const values = [
  "kind {}",
  "owner {}",
  "channel {}",
  "GET, POST",
  "GET, PATCH, DELETE",
  "[{} bytes]",
  "every {} s",
  "every {}",
];
