import type { Origin } from "./origins.ts";

interface Told {
  file: string | null;
  origins: readonly Origin[];
  warnings: readonly string[];
}

/** What `daybook config check` says of settings that are right. */
export function sayCheck({ file, origins, warnings }: Told): string {
  const set = origins.filter(({ from }) => from !== "default").length;
  const about = file ?? "There is no file (daybook config init writes one)";
  const verdict = `${about}: all right, ${set} of ${origins.length} settings are set.`;
  return [...warnings.map((line) => `warning: ${line}`), verdict].join("\n");
}

/** Every setting on a line; with origins, where each comes from. */
export function sayConfig({ origins }: Told, withOrigins: boolean): string {
  const lines = origins.map(({ key, value, from }) => [`${key}: ${value}`, from] as const);
  if (!withOrigins) return lines.map(([line]) => line).join("\n");
  const width = Math.max(...lines.map(([line]) => line.length).filter((length) => length <= 60));
  return lines.map(([line, from]) => `${line.padEnd(width)}  # ${from}`).join("\n");
}
