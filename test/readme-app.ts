import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

/** The code of one language in the README, block by block. */
export function blocks(language: string): readonly string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm"))].map(
    ([, code = ""]) => code,
  );
}

/** The block that has this text. */
function blockWith(text: string): string {
  const found = blocks("ts").find((code) => code.includes(text));
  assert.ok(found, `the README has no block with ${text}`);
  return found;
}

/** What the README's server takes from the rest of a shop. */
const shop = `
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Channel, Daybook, HostCaller } from "daybook";
export const render = async (order: string, signal: AbortSignal): Promise<string> => (signal.throwIfAborted(), \`https://shop.example/\${order}.pdf\`);
export const mail: Channel = { name: "mail", send: async () => ({ result: "delivered", receipt: "1" }) };
export const session = (request: Request): HostCaller | null =>
  request.headers.get("cookie") === "user=mina" ? { owner: "mina", scopes: ["read"] } : null;

/** Orders once, looks at what became of it through the API, and says so. */
export async function tryOut(server: Server, daybook: Daybook): Promise<void> {
  if (!server.listening) await once(server, "listening");
  const url = \`http://127.0.0.1:\${(server.address() as AddressInfo).port}\`;
  const order = { order: "o1", to: "a@example.org" };
  const headers = { "content-type": "application/json" };
  const ask = async () => {
    const answer = await fetch(\`\${url}/orders\`, { method: "POST", headers, body: JSON.stringify(order) });
    return (await answer.json()) as { id: string };
  };
  const [{ id }, again] = [await ask(), await ask()];
  const { task, status, due_at } = await daybook.showRun({ id });
  const who = await fetch(\`\${url}/daybook/v1/whoami\`, { headers: { cookie: "user=mina" } });
  const stranger = await fetch(\`\${url}/daybook/v1/whoami\`);
  const days = Math.round((Date.parse(due_at) - Date.now()) / 86_400_000);
  console.log(task, status, days, again.id === id, ((await who.json()) as { owner: string }).owner, stranger.status);
  server.close();
  server.closeAllConnections?.();
  await daybook.close();
}
`;
export const triedOut = "invoice.send pending 2 true mina 401";

/** Writes the README's example, with a shop around it, into a folder: `server.ts` and `invoice.test.ts`. */
export function writeApp(folder: string, change: (code: string) => string): void {
  const write = (name: string, code: string): void =>
    writeFileSync(join(folder, name), change(code));
  write("app.ts", shop);
  write("invoice.ts", blockWith("export const sendInvoice"));
  write("server.ts", `${blockWith("app.listen")}${finish}`);
  write("invoice.test.ts", blockWith("testDaybook"));
}

const finish = `
import { tryOut } from "./app.ts";
await tryOut(server, daybook);
`;

/** The same server on Hono. */
export const honoServer = `
import { serve } from "@hono/node-server";
import { open } from "daybook";
import { Hono } from "hono";
import { mail, session } from "./app.ts";
import { sendInvoice } from "./invoice.ts";

const daybook = await open({
  store: "sqlite:./shop.db", tasks: [sendInvoice], channels: [mail], auth: session, basePath: "/daybook",
});
await daybook.start();
const app = new Hono();
app.mount("/daybook", daybook.fetch);
app.post("/orders", async (c) => {
  const body = await c.req.json();
  const { id } = await daybook.run(sendInvoice, body, { at: "in 2 days", key: body.order });
  return c.json({ id }, 202);
});
const server = serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) });
${finish}`;
