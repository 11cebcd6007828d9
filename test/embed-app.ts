import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writePrograms } from "./docs-blocks.ts";

/** Orders once, looks at what became of it through the API, and prints it. */
const tryOut = `
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Daybook } from "daybook";

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

const finish = `
import { tryOut } from "./try-out.ts";
await tryOut(server, daybook);
`;

/** Writes the programs of docs/embed.md into a folder; its `server.ts` tries itself out and ends. */
export function writeApp(folder: string, change: (code: string) => string): readonly string[] {
  const names = writePrograms("docs/embed.md", folder, change);
  writeFileSync(join(folder, "try-out.ts"), tryOut);
  appendFileSync(join(folder, "server.ts"), finish);
  return names;
}

/** The same server on Hono. */
export const honoServer = `
import { serve } from "@hono/node-server";
import { open } from "daybook";
import { Hono } from "hono";
import { sendInvoice } from "./invoice.ts";
import { mail } from "./mail.ts";

const daybook = await open({
  store: "sqlite:./shop.db",
  tasks: [sendInvoice],
  channels: [mail],
  auth: ({ headers }) => (headers.get("cookie") === "user=mina" ? { owner: "mina", scopes: ["read"] } : null),
  basePath: "/daybook",
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
