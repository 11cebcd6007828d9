import { randomBytes } from "node:crypto";
import { popUp } from "../../adapters/channels/desktop.ts";
import { loginLinks } from "../../features/accounts/index.ts";
import {
  eventHooks,
  eventOwners,
  eventSources,
  folderSweep,
  machine,
  routesEvents,
} from "../../features/events/index.ts";
import { monitor } from "../../features/nodes/index.ts";
import {
  type Channel,
  hasListener,
  inboxOf,
  isForListeners,
  nodeListeners,
  nodeChannels,
  popUps,
} from "../../features/notifications/index.ts";
import type { MadeSchedules, Reloaded } from "../../features/schedules/index.ts";
import { nodeRunners } from "../../features/tasks/index.ts";
import { workspaceBackend } from "../../features/workspaces/index.ts";
import { logins } from "../../interfaces/http/login.ts";
import type { HttpServer } from "../../interfaces/http/server.ts";
import type { Host } from "../../kernel/host.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Caller } from "../../kernel/operation.ts";
import { provide, type Provision } from "../../kernel/port.ts";
import { lazy } from "../../platform/lazy.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import { group, service, type Service } from "../../platform/service.ts";
import { version } from "../../platform/version.ts";
import { node } from "../compose.ts";
import type { Config } from "../config/config.ts";
import type { Loaded } from "../config/load.ts";
import { daemonHost, type OnError } from "../host.ts";
import { localCaller } from "../local-caller.ts";
import { mcpOnUse } from "../mcp-on-use.ts";
import type { Plugged } from "../plugins.ts";
import { showInbox } from "../sessions.ts";
import { sweepOf } from "../stores.ts";
import { workspaceBackendFrom, workspaceRunnerFrom } from "../workspace-backend.ts";
import { adminToken } from "./admin-token.ts";
import { channelsFrom } from "./channels-from.ts";
import { chatsFrom, withFirstChats } from "./chats-from.ts";
import { scheduleApplier } from "./declared-schedules.ts";
import { eventHookFrom } from "./event-hooks.ts";
import { heartbeatFrom } from "./heartbeat.ts";
import type { Home } from "./home.ts";
import { loginLinksAt } from "./login-links.ts";
import { machineMeasure } from "./machine-measure.ts";
import { runnersFrom } from "./runners-from.ts";
import { serverOf } from "./server.ts";
import { sourcesFrom } from "./sources-from.ts";
import { welcome } from "./welcome.ts";

export interface DaemonParts {
  /** The settings at the start; `current` has those that change while the daemon runs. */
  config: Config;
  current(): Config;
  /** The file of the current settings, and what to warn of. */
  origin(): Pick<Loaded, "file" | "warnings">;
  ledger: Ledger;
  platform: PlatformPorts;
  home: Home;
  env: Readonly<Record<string, string | undefined>>;
  /** Channels beside those of the configuration. */
  channels: readonly Channel[];
  plugged: readonly Plugged[];
  /** Reads the settings again and applies them. */
  reload(): Promise<Reloaded<MadeSchedules>>;
  /** The settings as the file has them now; throws what is wrong with them. */
  written(): Config;
  onError?: OnError | undefined;
  /** Shows messages of the inbox at the terminal of the daemon. */
  show?: ((text: string) => Promise<void>) | undefined;
}

export interface RunningDaemon extends Service {
  /** Its base URL while it runs. */
  url(): string | undefined;
  /** A link that signs in the first person who opens it. */
  loginLink(): string;
  /** Whether a message to the owner's usual target waits for a listener now. */
  isUnheard(): Promise<boolean>;
  /** Applies changed settings. */
  reread(): Promise<MadeSchedules>;
}

/** A node with its interfaces: what `daybook start` runs. */
export async function daemon(given: DaemonParts): Promise<RunningDaemon> {
  const { config, platform, home } = given;
  const current = withFirstChats(config, given.current);
  const written = (): Config => withFirstChats(config, given.written)();
  const parts = { ...given, current, written };
  const host: Host = daemonHost({
    ...parts,
    workspaces: () => workspaceBackendFrom(parts),
    url: () => server.url(),
    provisions: [
      ...nodeProvisions(parts, () => host),
      provide(loginLinks, () => linkFor),
      provide(hasListener, () => (target) => running.use(nodeListeners).has(target)),
    ],
  });
  const running = node(host, config);
  const applySchedules = scheduleApplier(host, platform, home);
  const login = logins({ ...platform, randomBytes, caller: localCaller });
  const baseUrl = (): string => config.http.publicUrl ?? server.url() ?? "";
  const linkFor = loginLinksAt(baseUrl, login, platform.clock);
  /** A login link is worth as much as the token of this home. */
  let admin: Caller = localCaller;
  const mcp = mcpOnUse(host);
  const chats = await chatsFrom({ config, current: parts.current, installation: host, platform });
  const server: HttpServer = serverOf(parts, { host, running, login, mcp, chats });
  const announce = service({
    async start() {
      const token = await adminToken(home, host, parts.env["DAYBOOK_TOKEN"] || undefined);
      admin = { ...localCaller, token };
      const url = server.url() ?? "";
      home.writeDaemon({
        url,
        pid: process.pid,
        version,
        startedAt: platform.clock.wall(),
        settingsFile: parts.origin().file,
        cwd: process.cwd(),
        problem: null,
        refused: null,
        needsRestart: [],
      });
      await welcome(host);
      await applySchedules();
      if (parts.show) showInbox(running.use(nodeListeners), parts.show);
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
      running.reloadSettings();
      return applySchedules();
    },
    async isUnheard() {
      const { home } = await host.readProfile(localCaller.owner);
      const target = home ?? inboxOf(localCaller.owner);
      return isForListeners(target) && !running.use(nodeListeners).has(target);
    },
    loginLink: () => linkFor(admin).url,
  };
}

/** The channels, runners, sources and sensors of this process. */
function nodeProvisions(parts: DaemonParts, hostLater: () => Host): readonly Provision[] {
  const { config, current, ledger, platform, env, plugged } = parts;
  const sources = sourcesFrom(() => current().sources, platform);
  const channels = lazy(() => [
    ...parts.channels,
    ...plugged.flatMap((each) => each.channels),
    ...channelsFrom(() => current().channels, ledger, platform, env),
  ]);
  return [
    provide(nodeChannels, channels),
    provide(popUps, () => popUpsFor(parts, channels())),
    provide(nodeRunners, () => {
      const host = hostLater();
      const backend = host.use(workspaceBackend)?.();
      return [
        ...runnersFrom({ config, current, platform, env, installation: host }),
        ...(backend
          ? [workspaceRunnerFrom({ config, current, platform, env, ledger, backend })]
          : []),
      ];
    }),
    provide(monitor, () => heartbeatFrom(current(), platform)),
    provide(routesEvents, () => true),
    provide(eventSources, sources),
    provide(eventHooks, () => (name) => eventHookFrom(current().hooks, name)),
    provide(eventOwners, () => current().hooks.map(({ owner }) => owner)),
    provide(machine, () => ({
      limits: () => current().health,
      measure: machineMeasure(config.home, platform),
    })),
    provide(folderSweep, () => sweepOf(config.store)),
  ];
}

function popUpsFor(
  { config, platform }: DaemonParts,
  channels: readonly Channel[],
): { owners: readonly string[]; channel: Channel } | undefined {
  const owners = config.channels.desktop?.inbox ?? [];
  const desktop = channels.find(({ name }) => name === "desktop");
  if (desktop === undefined || owners.length === 0) return undefined;
  return { owners, channel: popUp(desktop, platform) };
}
