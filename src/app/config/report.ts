import type { Config } from "./config.ts";
import type { Origin } from "./origins.ts";

interface Checked {
  config: Pick<Config, "language">;
  file: string | null;
  origins: readonly Origin[];
  warnings: readonly string[];
}

/** The report of `daybook config check` for valid settings. */
export function checkReport({ config, file, origins, warnings }: Checked): string {
  const set = origins.filter(({ from }) => from !== "default").length;
  const all = origins.length;
  const verdict =
    config.language === "ko"
      ? `${file ?? "설정 파일 없음(daybook config init으로 만들 수 있습니다)"}: 올바릅니다. 설정 ${all}개 중 ${set}개를 지정했습니다.`
      : `${file ?? "There is no file (daybook config init writes one)"}: all right, ${set} of ${all} settings are set.`;
  return [...warnings.map((line) => `warning: ${line}`), verdict].join("\n");
}

/** Every setting on its own line, with its origin if wanted. */
export function configReport({ origins }: Pick<Checked, "origins">, withOrigins: boolean): string {
  const lines = origins.map(({ key, value, from }) => [`${key}: ${value}`, from] as const);
  if (!withOrigins) return lines.map(([line]) => line).join("\n");
  const width = Math.max(...lines.map(([line]) => line.length).filter((length) => length <= 60));
  return lines.map(([line, from]) => `${line.padEnd(width)}  # ${from}`).join("\n");
}
