/** A reference has been replaced by its secret, or loading has failed before. */
export function textOf(secret: unknown): string {
  return typeof secret === "string" ? secret : "";
}

const units: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** `30s`, `5m`, `1h`, `1d` */
export function msOf(length: string): number {
  return Number(length.slice(0, -1)) * (units[length.slice(-1)] ?? 0);
}
