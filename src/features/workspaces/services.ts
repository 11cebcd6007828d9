import type { Host, NodeHost, NodePart } from "../../kernel/host.ts";
import { add, provide, provideOnce, type Provision } from "../../kernel/port.ts";
import { withDeadline } from "../../platform/deadline.ts";
import { messageOf } from "../../platform/errors.ts";
import { ids } from "../../platform/ids.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import { service, type Service } from "../../platform/service.ts";
import { choreRegistry } from "../nodes/index.ts";
import { runWorkspaces, taskWorkspaces as tasksWorkspaces } from "../tasks/index.ts";
import type { Archives } from "./archives.ts";
import { workspaceController } from "./controller.ts";
import { collectArchives, collector, collectorMemory } from "./garbage-collector.ts";
import { directObserver } from "./observer.ts";
import {
  keptWorkspaces,
  workspaceBackend,
  type WorkspaceBackend,
  type WorkspacePorts,
} from "./ports.ts";
import { checkRunIn, taskWorkspaces } from "./task-workspace.ts";

export function workspacesProvide(host: Host): readonly Provision[] {
  const ifKept = <T>(make: (backend: () => WorkspaceBackend) => T): T | undefined => {
    const backend = host.use(workspaceBackend);
    return backend && make(backend);
  };
  return [
    provideOnce(keptWorkspaces, () => ifKept((backend) => operationPorts(host, backend))),
    provide(runWorkspaces, () => host.use(keptWorkspaces)),
    provideOnce(tasksWorkspaces, () => ifKept((backend) => waitingTasks(host, backend()))),
    add(choreRegistry, () =>
      ifKept((backend) => collectArchives(collector({ ...host, ...backend() }))),
    ),
  ];
}

/** One list of all workspaces serves so many observations at once. */
const observedAtOnce = 500;

export function workspacesOnNode(host: NodeHost): NodePart {
  const backend = host.use(workspaceBackend)?.();
  if (backend === undefined) return {};
  const controller = workspaceController({
    ...host,
    ...backend,
    newOpId: ids(host.clock, host.random),
    operationsAtOnce: backend.concurrency,
  });
  return {
    services: [
      archivesCheck(host, backend.archives),
      host.run(controller, { concurrency: observedAtOnce }),
    ],
  };
}

/** The machines are connected to on the first request, which most installations never make. */
function operationPorts(host: Host, backend: () => WorkspaceBackend): WorkspacePorts {
  const { ledger, clock } = host;
  const never = (): AbortSignal => new AbortController().signal;
  return {
    get location() {
      return backend().machines.location;
    },
    get isLocal() {
      return backend().machines.name === "local";
    },
    checkRunIn,
    limits: () => backend().settings().limits,
    pollMs: () => backend().settings().pollMs,
    defaults: (name) => backend().defaults(name),
    observe: (id) => directObserver(backend().machines, clock)(id, never()),
    async collect({ apply, confirm }) {
      const collect = collector({ ledger, archives: backend().archives });
      const memory = await collectorMemory(ledger);
      const round = { now: clock.wall(), signal: never(), memory };
      const request = { ...round, isDry: !apply, isConfirmed: confirm };
      const { removed, braked, orphans, parts } = await collect(request);
      const why = braked ?? undefined;
      return { remove: removed, orphans, isBraked: braked !== null, why, parts };
    },
  };
}

function waitingTasks(
  { ledger, clock }: Host,
  { machines, settings, defaults }: WorkspaceBackend,
): ReturnType<typeof taskWorkspaces> {
  return taskWorkspaces({
    ledger,
    clock,
    machines,
    limits: () => settings().limits,
    implied(_owner, name) {
      const { imageRef, ...rest } = defaults(name);
      return imageRef === null ? undefined : { ...rest, imageRef };
    },
  });
}

const checkMsMax = 10_000;

/** Checks the archives at the start. If they are unreachable, the log warns, and everything else starts. */
function archivesCheck({ clock, log }: PlatformPorts, archives: Archives): Service {
  return service({
    async start() {
      const never = new AbortController().signal;
      const limits = { clock, timeoutMs: checkMsMax, graceMs: 0, signal: never };
      const problem = await withDeadline(limits, (signal) => archives.check(signal)).catch(
        messageOf,
      );
      if (typeof problem === "string") log.warn("archives.unreached", { problem });
    },
    stop: () => Promise.resolve(),
  });
}
