import type { Config } from "./config.ts";
import type { Origin } from "./origins.ts";

interface Told {
  config: Pick<Config, "language">;
  file: string | null;
  origins: readonly Origin[];
  warnings: readonly string[];
}

/** What `daybook config check` says of settings that are right. */
export function checkReport({ config, file, origins, warnings }: Told): string {
  const set = origins.filter(({ from }) => from !== "default").length;
  const all = origins.length;
  const verdict =
    config.language === "ko"
      ? `${file ?? "설정 파일 없음(daybook config init 으로 만들 수 있음)"}: 맞습니다. 설정 ${all}개 가운데 ${set}개를 정했습니다.`
      : `${file ?? "There is no file (daybook config init writes one)"}: all right, ${set} of ${all} settings are set.`;
  return [...warnings.map((line) => `warning: ${line}`), verdict].join("\n");
}

/** Every setting on a line; with origins, where each comes from. */
export function configReport({ origins }: Pick<Told, "origins">, withOrigins: boolean): string {
  const lines = origins.map(({ key, value, from }) => [`${key}: ${value}`, from] as const);
  if (!withOrigins) return lines.map(([line]) => line).join("\n");
  const width = Math.max(...lines.map(([line]) => line.length).filter((length) => length <= 60));
  return lines.map(([line, from]) => `${line.padEnd(width)}  # ${from}`).join("\n");
}
