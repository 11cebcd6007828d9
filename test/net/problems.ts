import { main } from "./internals.ts";
import { mask } from "./snapshot.ts";

export const errorCodes = Object.keys({
  invalid: true,
  too_large: true,
  not_found: true,
  conflict: true,
  held: true,
  stale: true,
  ended: true,
  leased: true,
  busy: true,
  unknown: true,
  unavailable: true,
  unsupported: true,
  refused: true,
  closed: true,
  bug: true,
} satisfies Record<main.ErrorCode, true>) as main.ErrorCode[];

/** Whoever authenticates may throw any error, so every code can be seen from outside. */
export async function problems(): Promise<string> {
  const cases: {
    code: main.ErrorCode;
    details?: Readonly<Record<string, unknown>>;
    headers?: Record<string, string>;
  }[] = [
    ...errorCodes.map((code) => ({ code })),
    { code: "held", details: { limit: 3 } },
    { code: "held", details: { limit_type: "running", limit: 3 } },
    { code: "stale", headers: { "if-match": '"1"' } },
    { code: "invalid", details: { problems: [{ path: "at", text: "a text" }], other: 1 } },
    { code: "unavailable", details: { path: "/secret" } },
  ];
  const texts: string[] = [];
  for (const { code, details, headers = {} } of cases) {
    const auth = (): never => {
      throw new main.DaybookError(code, "A sentence.", details && { details });
    };
    const book = await main.open({ store: "memory:", auth });
    for (const path of ["/v1/whoami", "/api/reminder/schedule/v2", "/api/v1/workspaces"]) {
      const answer = await book.fetch(new Request(`http://localhost${path}`, { headers }));
      const more = ["content-type", "retry-after"].flatMap(
        (name) => answer.headers.get(name) ?? [],
      );
      const title = [
        code,
        ...(details ? [JSON.stringify(details)] : []),
        ...Object.keys(headers),
        path,
      ];
      texts.push(
        `### ${title.join(" ")}\n${answer.status} ${more.join(", ")}\n${mask(await answer.text())}`,
      );
    }
    await book.close();
  }
  return texts.join("\n\n");
}
