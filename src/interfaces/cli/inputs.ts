/** An input of a command. */
export interface Input {
  readonly name: string;
  /** `MESSAGE` when it stands alone, `--at` when it has a flag. */
  readonly label: string;
  readonly summary: string;
  readonly isRequired: boolean;
  /** A switch is a flag that stands alone; a list may be given several times; the rest is all after `--`. */
  readonly kind: "text" | "number" | "switch" | "list" | "json" | "rest";
  /** The allowed values of an enum. */
  readonly values: readonly string[];
  /** Other accepted names. */
  readonly aliases: readonly string[];
  /** The input that this is a part of. */
  readonly within?: string;
}

/** An input of a command about this machine: `--port`, or `SHELL` where it stands alone. */
export function input(label: string, summary: string, more: Partial<Input> = {}): Input {
  return {
    name: label.replace(/^--/, "").replaceAll("-", "_").toLowerCase(),
    label,
    summary,
    isRequired: !label.startsWith("--"),
    kind: "text",
    values: [],
    aliases: [],
    ...more,
  };
}

export function isPositional({ label }: Input): boolean {
  return !label.startsWith("--");
}

/** Whether a bare `-` reads standard input. */
export function readsStdin(input: Input): boolean {
  return isPositional(input) && (input.name === "message" || input.label === "FILE");
}

/** `--related-task-id`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll("_", "-")}`;
}
