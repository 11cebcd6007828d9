import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { promisify } from "node:util";
import { program } from "./internals.ts";
import type { CommandLine, Finished } from "./run-lines.ts";

export const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..");

/** No setting of this machine or of whoever runs the test. */
export function clean(home: string): Record<string, string> {
  const compiled = join(root, "node_modules", ".cache", "compiled");
  const path = process.env["PATH"] ?? "";
  return { HOME: home, PATH: path, TZ: "UTC", NO_COLOR: "1", NODE_COMPILE_CACHE: compiled };
}

export async function typeLines(home: string, lines: readonly CommandLine[]): Promise<Finished[]> {
  const script = join(import.meta.dirname, "run-lines.ts");
  const { stdout } = await run(process.execPath, [script, program.href, JSON.stringify(lines)], {
    cwd: home,
    env: clean(home),
    maxBuffer: 64 * 2 ** 20,
  });
  return JSON.parse(stdout) as Finished[];
}

export function shown(finished: Finished | undefined): string {
  const { typed, exit, out, err } = finished ?? { typed: [], exit: null, out: "", err: "" };
  const status = exit === 0 ? "" : ` (exit ${exit})`;
  return [`$ daybook ${typed.join(" ")}${status}`, out.trimEnd(), err.trimEnd()]
    .filter(Boolean)
    .join("\n");
}

/** Without the padding, which depends on the length of a temporary path. */
export function unaligned(text: string): string {
  return text.replaceAll(/ +(?=# )/g, "  ");
}

/** Every command that completion offers, and every family of commands, as words; in the order of the alphabet. */
export function commandsIn(fish: string): readonly string[][] {
  const firsts = [...fish.matchAll(/-n __fish_use_subcommand -a (\S+)/g)].map(([, first = ""]) => [
    first,
  ]);
  const seconds = fish.matchAll(/-n '__fish_seen_subcommand_from (\S+); and not [^']*' -a (\S+)/g);
  const pairs = [...seconds].map(([, first = "", second = ""]) => [first, second]);
  return [...firsts, ...pairs].toSorted((a, b) => (a.join(" ") < b.join(" ") ? -1 : 1));
}

/** A daemon that answers every request with the problem whose code is the last part of the path. */
export async function refusing(t: TestContext): Promise<string> {
  const server = createServer((request, response) => {
    const code = new URL(request.url ?? "/", "http://localhost").pathname.split("/").at(-1);
    response.writeHead(409, { "content-type": "application/problem+json" });
    response.end(JSON.stringify({ code, title: "A title", status: 409, detail: "A sentence." }));
  });
  server.listen(0, "127.0.0.1");
  t.after(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
