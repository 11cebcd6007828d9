import { randomBytes } from "node:crypto";
import { popUp } from "../../adapters/channels/desktop.ts";
import type { Channel } from "../../features/notifications/index.ts";
import type { MadeSchedules, Reloaded } from "../../features/schedules/index.ts";
import type { ConfiguredHook } from "../../interfaces/http/hooks.ts";
import { logins } from "../../interfaces/http/login.ts";
import { httpServer, type HttpServer } from "../../interfaces/http/server.ts";
import type { McpHandler } from "../../interfaces/mcp/http.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Installation, Caller } from "../../kernel/operation.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import { group, service, type Service } from "../../platform/service.ts";
import { version } from "../../platform/version.ts";
import { alwaysFrom, workspaceRunnerFrom } from "../always-from.ts";
import { sessionPort, showInbox } from "../attaching.ts";
import { bookFace } from "../book-face.ts";
import { node, type Node, type NodeOptions, type OnError } from "../compose.ts";
import type { Config } from "../config/resolve.ts";
import { daemonInstallation, defaultsFrom } from "../installation.ts";
import type { AlwaysHere } from "../keeping.ts";
import { mcpOnUse } from "../mcp-on-use.ts";
import type { Plugged } from "../plugins.ts";
import { self } from "../self.ts";
import { sweepOf } from "../stores.ts";
import { adminToken } from "./admin-token.ts";
import { beatFrom } from "./beat.ts";
import { channelsFrom } from "./channels-from.ts";
import { chatsFrom, keepingChats, type Chats } from "./chats-from.ts";
import type { Home } from "./home.ts";
import { runnersFrom } from "./runners-from.ts";
import { setDownHere } from "./set-down-here.ts";
import { welcome } from "./welcome.ts";
import { whenFrom } from "./when-from.ts";

export interface DaemonParts {
  /** As it was at the start: what of it can change while the daemon runs is in `current`. */
  config: Config;
  current(): Config;
  ledger: Ledger;
  platform: PlatformPorts;
  home: Home;
  env: Readonly<Record<string, string | undefined>>;
  /** Channels beside those of the configuration. */
  channels: readonly Channel[];
  plugged: readonly Plugged[];
  /** Reads the settings again, and takes them up. */
  reload(): Promise<Reloaded<MadeSchedules>>;
  /** The settings as they are written now; throws what is wrong with them. */
  written(): Config;
  onError?: OnError;
  /** Somebody sits at this terminal: what is for the inbox is shown there. */
  show?(text: string): Promise<void>;
}

export interface RunningDaemon extends Service {
  /** Where it can be asked, while it runs. */
  url(): string | undefined;
  /** A link that signs whoever opens it in, once. */
  loginLink(): string;
  /** What is in `current` has changed. */
  reread(): Promise<MadeSchedules>;
}

/** A node with its faces: what `daybook start` runs. */
export function daemon(given: DaemonParts): RunningDaemon {
  const { config, platform, home } = given;
  const current = keepingChats(config, given.current);
  const written = (): Config => keepingChats(config, given.written)();
  const parts = { ...given, current, written };
  const always = alwaysFrom(parts);
  const installation = daemonInstallation({
    ...parts,
    always: () => always,
    url: () => server.url(),
  });
  const running = nodeFrom(parts, installation, always);
  const makeSchedules = setDownHere(installation, platform, home);
  const login = logins({ ...platform, randomBytes, caller: self });
  /** Whose link it is: it is worth as much as the token of this home. */
  let admin: Caller = self;
  const mcp = mcpOnUse(installation, platform);
  const chats = chatsFrom({ config, current: parts.current, installation, platform });
  const server: HttpServer = faceServer(parts, { installation, running, login, mcp, chats });
  const announce = service({
    async start() {
      const token = await adminToken(home, installation, parts.env["DAYBOOK_TOKEN"] || undefined);
      admin = { ...self, token };
      const url = server.url() ?? "";
      home.writeDaemon({
        url,
        pid: process.pid,
        version,
        startedAt: platform.clock.wall(),
        problem: null,
        refused: null,
        needsRestart: [],
      });
      await welcome(installation);
      await makeSchedules();
      if (parts.show) showInbox(running, parts.show);
    },
    async stop() {
      home.removeDaemon();
      await mcp.stop();
    },
  });
  return {
    ...group([running, server, announce, chats]),
    url: server.url,
    reread() {
      running.reread();
      return makeSchedules();
    },
    loginLink: () => {
      const base = config.http.publicUrl ?? server.url() ?? "";
      return `${base.replace(/\/$/, "")}/login?code=${login.issue(admin)}`;
    },
  };
}

function nodeFrom(parts: DaemonParts, installation: Installation, always: AlwaysHere): Node {
  const { config, current, ledger, platform, env, plugged, onError } = parts;
  const channels = [
    ...parts.channels,
    ...plugged.flatMap(({ channels }) => channels),
    ...channelsFrom(() => current().channels, ledger, platform, env),
  ];
  return node(ledger, platform, {
    leaseMs: config.leaseMs,
    keepMs: () => current().keepMs,
    channels,
    runners: [
      ...runnersFrom({ config, platform, env, installation }),
      workspaceRunnerFrom({ config, platform, env, ledger, always }),
    ],
    defaults: defaultsFrom(current),
    beat: () => beatFrom(current(), platform),
    when: whenFrom(parts),
    always,
    ...sweepOf(config.store),
    ...popUpsFor(parts, channels),
    ...(onError && { onError }),
  });
}

function popUpsFor(
  { config, platform }: DaemonParts,
  channels: readonly Channel[],
): Pick<NodeOptions, "popUps"> {
  const owners = config.channels.desktop?.inbox ?? [];
  const desktop = channels.find(({ name }) => name === "desktop");
  if (desktop === undefined || owners.length === 0) return {};
  return { popUps: { owners, channel: popUp(desktop, platform) } };
}

interface Faces {
  installation: Installation;
  running: Node;
  login: ReturnType<typeof logins>;
  mcp: McpHandler;
  chats: Chats;
}

function faceServer({ config, current, ledger, platform }: DaemonParts, faces: Faces): HttpServer {
  const { installation, running, login, mcp, chats } = faces;
  const { host, port, publicUrl } = config.http;
  const own = publicUrl === undefined ? [] : [new URL(publicUrl).host];
  const face = bookFace(installation, platform, {
    login,
    hosts: ["127.0.0.1", "localhost", "[::1]", host, ...own],
    metrics: running.metrics,
    mcp: mcp.handle,
    chats: chats.handle,
    hooks: (name) => hookNamed(current(), name),
    sessions: sessionPort(running, ledger, platform.clock),
  });
  return httpServer({ ...platform, handler: face, host, port });
}

function hookNamed({ when }: Config, name: string): ConfiguredHook | undefined {
  const hook = when.hooks.find((each) => each.name === name);
  return hook && { ...hook, home: self.owner };
}
