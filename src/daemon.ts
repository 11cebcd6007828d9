import { randomBytes } from "node:crypto";
import { safeFetch } from "./base/fetch.ts";
import { group, service, type Service } from "./base/service.ts";
import { channelsFrom } from "./channels-from.ts";
import type { Channel } from "./channels/channel.ts";
import { node, type Ground, type Node, type OnError } from "./compose.ts";
import type { Config } from "./config/resolve.ts";
import { deskFrom, self } from "./desk.ts";
import { adminToken, type Home } from "./home.ts";
import { httpFace } from "./http/face.ts";
import { logins } from "./http/login.ts";
import { httpServer, type HttpServer } from "./http/server.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { sessionPort, showInbox } from "./listeners.ts";
import type { McpHandler } from "./mcp/http.ts";
import type { Desk } from "./operations/ask.ts";
import { table } from "./operations/table.ts";
import { findToken } from "./operations/tokens.ts";
import { makeNotification } from "./rules/notification.ts";
import { textsOf } from "./rules/texts/texts.ts";
import { version } from "./version.ts";

export interface DaemonParts {
  /** As it was at the start: what of it can change while the daemon runs is in `current`. */
  config: Config;
  current(): Config;
  ledger: Ledger;
  ground: Ground;
  home: Home;
  env: Readonly<Record<string, string | undefined>>;
  /** Channels beside those of the configuration. */
  channels: readonly Channel[];
  onError?: OnError;
  /** Somebody sits at this terminal: what is for the inbox is shown there. */
  show?(text: string): Promise<void>;
}

export interface RunningDaemon extends Service {
  /** Where it can be asked, while it runs. */
  url(): string | undefined;
  /** A link that signs whoever opens it in, once. */
  loginLink(): string;
}

/** A daemon that no agent asks does without what serves them. */
function onFirstUse(make: () => Promise<McpHandler>): McpHandler {
  let made: Promise<McpHandler> | undefined;
  return {
    handle: async (request, caller) => (await (made ??= make())).handle(request, caller),
    stop: async () => (await made)?.stop(),
  };
}

/** A node with its faces: what `daybook start` runs. */
export function daemon(parts: DaemonParts): RunningDaemon {
  const { config, ledger, ground, home } = parts;
  const channels = [...parts.channels, ...channelsFrom(config.channels, ledger, ground, parts.env)];
  const desk = deskFrom(parts.current, ledger, ground);
  const running = node(ledger, ground, {
    leaseMs: config.leaseMs,
    keepMs: config.keepMs,
    channels,
    defaults: desk.defaults,
    ...(parts.onError && { onError: parts.onError }),
    ...(config.heartbeat && { heartbeat: heartbeatTo(config.heartbeat, ground) }),
  });
  const login = logins({ ...ground, randomBytes, caller: self });
  const mcp = onFirstUse(async (): Promise<McpHandler> => {
    const { mcpHandler } = await import("./mcp/http.ts");
    return mcpHandler({ ...ground, desk, operations: table, version, toolSet: "default" });
  });
  const server = faceServer(parts, { desk, running, login, mcp });
  const announce = service({
    async start() {
      await adminToken(home, desk, parts.env["DAYBOOK_TOKEN"] || undefined);
      const url = server.url() ?? "";
      home.writeDaemon({
        url,
        pid: process.pid,
        version,
        startedAt: ground.clock.wall(),
        problem: null,
      });
      await welcome(desk);
      if (parts.show) showInbox(running, parts.show);
    },
    async stop() {
      home.removeDaemon();
      await mcp.stop();
    },
  });
  return {
    ...group([running, server, announce]),
    url: server.url,
    loginLink: () => {
      const base = config.http.publicUrl ?? server.url() ?? "";
      return `${base.replace(/\/$/, "")}/login?code=${login.issue()}`;
    },
  };
}

interface Faces {
  desk: Desk;
  running: Node;
  login: ReturnType<typeof logins>;
  mcp: McpHandler;
}

function faceServer({ config, ledger, ground }: DaemonParts, faces: Faces): HttpServer {
  const { desk, running, login, mcp } = faces;
  const { host, port, publicUrl } = config.http;
  const own = publicUrl === undefined ? [] : [new URL(publicUrl).host];
  const face = httpFace({
    ...ground,
    desk,
    operations: table,
    tokens: (token) => findToken(desk, token),
    login,
    version,
    hosts: ["127.0.0.1", "localhost", "[::1]", host, ...own],
    health: {
      live: () => true,
      async ready() {
        // A claim of nothing: the store answers.
        await ledger.work.claim({ kind: "node", holder: "readyz", leaseMs: 1, limit: 0 });
        return true;
      },
    },
    metrics: running.metrics,
    mcp: mcp.handle,
    sessions: sessionPort(running, ledger, ground.clock),
  });
  return httpServer({ ...ground, face, host, port });
}

function heartbeatTo(
  { url, everyMs }: NonNullable<Config["heartbeat"]>,
  { clock }: Ground,
): { everyMs: number; ping(): Promise<void> } {
  const fetch = safeFetch({
    clock,
    timeoutMs: 10_000,
    bytesMax: 64 * 1_024,
    allowHosts: [new URL(url).host],
  });
  return {
    everyMs,
    async ping() {
      const { status } = await fetch({ url });
      if (status >= 400) throw new Error(`${new URL(url).host} answered ${status}`);
    },
  };
}

const welcomeMs = 5_000;

/** The first thing a book ever says. */
async function welcome({ ledger, defaults, now }: Desk): Promise<void> {
  const { language } = defaults(self.owner);
  const at = now() + welcomeMs;
  const target = "stdout:daemon";
  const message = textsOf(language).welcome();
  const draft = makeNotification({
    message,
    at,
    atText: "+5s",
    target,
    origin: null,
    type: "notice",
  });
  const key = { name: "welcome", asked: {}, until: Number.MAX_SAFE_INTEGER };
  await ledger.of(self.owner, self.by).append({ ...draft, key });
}
