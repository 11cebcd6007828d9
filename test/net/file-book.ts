import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { until, type Daemon } from "./daemon.ts";
import { mask } from "./snapshot.ts";

interface Claimed {
  readonly task: { readonly id: string } | null;
  readonly ticket: number;
}

/** Makes a record in each state that people look for, and drops files as other programs do. */
export async function fillBook(daemon: Daemon): Promise<void> {
  await messages(daemon);
  await schedules(daemon);
  await events(daemon);
  await others(daemon);
  await drops(daemon);
}

async function messages({ post, get }: Daemon): Promise<void> {
  await post("/v1/notifications", { message: "later", at: "+2d" });
  const { id: gone } = await post("/v1/notifications", { message: "cancelled", at: "+2d" });
  await post(`/v1/notifications/${String(gone)}/cancel`, {});
  const { id } = await post("/v1/notifications", {
    message: "now",
    at: "now",
    target: "exec:sink",
  });
  await until(async () => {
    const { state } = await get(`/v1/notifications/${String(id)}`);
    return state === "delivered" || undefined;
  });
}

async function schedules({ post, get }: Daemon): Promise<void> {
  const run = { command: ["true"] };
  const { id } = await post("/v1/schedules", { name: "yearly", when: "0 0 1 1 *", run });
  const { id: other } = await post("/v1/schedules", { name: "paused", when: "0 0 1 1 *", run });
  await post(`/v1/schedules/${String(other)}/pause`, {});
  await post(`/v1/schedules/${String(id)}/run`, {});
  await until(async () => {
    const { runs } = (await get(`/v1/schedules/${String(id)}/runs`)) as {
      runs: { status: string }[];
    };
    return runs.some(({ status }) => status === "completed") || undefined;
  });
}

/** One task is claimed and stays at work, one succeeds, one asks a person; the last waits. */
async function events({ post }: Daemon): Promise<void> {
  for (let count = 0; count < 4; count += 1) await post("/v1/events", { type: "deploys.done" });
  const claim = (): Promise<Claimed> =>
    until(async () => {
      const body = { handler: "ops", wait_seconds: 5 };
      const claimed = (await post("/v1/tasks/claim", body)) as unknown as Claimed;
      return claimed.task === null ? undefined : claimed;
    });
  await claim();
  const done = await claim();
  const result = (claimed: Claimed): string => `/v1/tasks/${claimed.task?.id ?? ""}/result`;
  await post(result(done), { ticket: done.ticket, status: "success", summary: "deployed" });
  const asks = await claim();
  const question = { status: "needs_human", question: "Which one?", session_id: "s-1" };
  await post(result(asks), { ticket: asks.ticket, ...question });
}

async function others({ post, fetch }: Daemon): Promise<void> {
  await post("/v1/nags", { message: "until done", at: "+1d" });
  await fetch("/v1/pages/page-1", { method: "PUT", body: { title: "A page" } });
  await post("/v1/webhooks", { url: "https://example.org/hook" });
  const none = { kinds: "task", states: "failed" }; // so nothing is sent
  await post("/v1/subscriptions", { url: "https://example.org/changes", ...none });
  await post("/v1/watches", { name: "backup", every: "1d" });
  await post("/v1/tokens", { name: "reader", scopes: "read" });
  await post("/v1/people/invite", {});
  await fetch("/v1/profile", { method: "PATCH", body: { timezone: "Asia/Seoul" } });
}

/** A file is written under another name and renamed, so that nobody reads half of it. */
async function drops({ home }: Daemon): Promise<void> {
  const folder = join(home, "book", "queue", "events", "pending");
  for (const [name, text] of [
    ["dropped.json", JSON.stringify({ id: "evt-dropped", type: "nobody.listens", source: "net" })],
    ["damaged.json", "{"],
  ] as const) {
    writeFileSync(join(folder, `.tmp-${name}`), text);
    renameSync(join(folder, `.tmp-${name}`), join(folder, name));
    await until(() => (existsSync(join(folder, name)) ? undefined : true));
  }
}

/** Every file in the book, once: what stands for an id, a date or a count is masked. */
export function pathsIn(book: string): string {
  const all = readdirSync(book, { recursive: true, encoding: "utf8" });
  const shown = all.flatMap((path) => {
    if (!statSync(join(book, path)).isDirectory()) return [maskPath(path)];
    // The others come and go with the work.
    const isKnown = /^queue\/(events|tasks|messages)\/|^state\//.test(path);
    return isKnown && readdirSync(join(book, path)).length === 0 ? [`${path}/`] : [];
  });
  return [...new Set(shown)].toSorted().join("\n");
}

function maskPath(path: string): string {
  return mask(path)
    .replace(/journal-\d+/, "journal-{n}")
    .replace(/\d{8}-\d{3}/, "{date}-{n}")
    .replace(/quarantine\/\d+/, "quarantine/{n}");
}

/** The fields of the files that other programs read, by folder. What is under `daybook` is our own. */
export function fieldsIn(book: string): string {
  const folders = ["events", "tasks", "messages"].flatMap((kind) =>
    readdirSync(join(book, "queue", kind)).map((state) => `queue/${kind}/${state}`),
  );
  return [...folders.toSorted(), "state/results"]
    .map((folder) => {
      const files = readdirSync(join(book, folder)).filter((name) => name.endsWith(".json"));
      const fields = files.flatMap((name) =>
        Object.keys(JSON.parse(readFileSync(join(book, folder, name), "utf8")) as object),
      );
      return `${folder}: ${[...new Set(fields)].toSorted().join(", ")}`;
    })
    .join("\n");
}
