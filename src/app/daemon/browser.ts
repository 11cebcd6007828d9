import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { platform } from "node:os";
import type { CliPorts } from "../../interfaces/cli/command.ts";
import { browserLanguage } from "../../platform/html-page.ts";

type Listener = Awaited<ReturnType<CliPorts["listenForBrowser"]>>;
type Arrival = Awaited<ReturnType<Listener["arrival"]>>;

/** Where the person's browser comes back to: a port of this machine, for the request with a state. */
export async function listenForBrowser(): Promise<Listener> {
  const arrived = Promise.withResolvers<Arrival>();
  let wanted: string | undefined;
  const server = createServer((incoming, response) => {
    const { method = "", url = "", headers } = incoming;
    const address = new URL(url, base());
    const state = address.searchParams.get("state");
    // A browser also asks for an icon, and any page can send it here with a state that is not ours.
    if (method !== "GET" || address.pathname !== path || state === null || state !== wanted) {
      response.writeHead(404).end();
      return;
    }
    const accepts = { "accept-language": headers["accept-language"] ?? "" };
    const language = browserLanguage(new Request(address, { headers: accepts }));
    const answer = (page: Response): Promise<void> => send(response, page);
    arrived.resolve({ address: address.href, language, answer });
  });
  const base = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `${base()}${path}`,
    arrival(state) {
      wanted = state;
      return arrived.promise;
    },
    async close() {
      server.close();
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 1_000).unref();
    },
  };
}

const path = "/connected";

async function send(response: ServerResponse, page: Response): Promise<void> {
  const body = await page.text();
  const headers = { ...Object.fromEntries(page.headers), connection: "close" };
  response.writeHead(page.status, headers).end(body);
  if (!response.writableFinished)
    await Promise.race([once(response, "finish"), once(response, "close")]);
}

/** Tries to show a page; where that is not possible, the person opens the printed one. */
export function openBrowser(url: string): void {
  const programs: Readonly<Record<string, readonly [string, ...string[]]>> = {
    darwin: ["open"],
    win32: ["rundll32", "url.dll,FileProtocolHandler"],
  };
  const [program, ...args] = programs[platform()] ?? ["xdg-open"];
  const child = spawn(program, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}
