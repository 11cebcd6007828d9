import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { busyboxTar } from "./busybox-image.ts";
import { callEngine, type EngineReply } from "./engine-api.ts";

/** A real Docker engine for the tests of one file. Its containers have no network. */
export interface DockerEngine {
  /** In the form of DOCKER_HOST. */
  readonly host: string;
  /** An image with a shell and the usual commands. */
  readonly imageRef: string;
  /** Calls it without the adapter. */
  send(line: Parameters<typeof callEngine>[1], body?: Uint8Array | object): Promise<EngineReply>;
  /** Stops the engine's process: it accepts connections and answers nothing until `thaw`. */
  freeze(): Promise<void>;
  thaw(): void;
  /** Kills the engine and its containers; `start` starts it again with the same data. */
  halt(): Promise<void>;
  start(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

type Missing = { readonly missing: string };

/** Answers what is missing if it cannot run here. */
export async function dockerEngine(
  options: { env?: Readonly<Record<string, string>> } = {},
): Promise<DockerEngine | Missing> {
  const missing = whatIsMissing();
  if (missing === undefined) return await local(options.env ?? {});
  if (process.env["DAYBOOK_REQUIRE_PARTS"] === "1") throw new Error(missing);
  return { missing };
}

function whatIsMissing(): string | undefined {
  if (process.getuid?.() !== 0) return "no Docker engine: only root can run one";
  if (find("dockerd") === undefined) return "no Docker engine: install docker.io";
  return find("busybox") === undefined ? "no busybox: install busybox-static" : undefined;
}

function find(name: string): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

const imageRef = "daybook-test/busybox:1";

async function local(env: Readonly<Record<string, string>>): Promise<DockerEngine> {
  const home = mkdtempSync(join(tmpdir(), "daybook-docker-"));
  const socketPath = join(home, "d.sock");
  const send: DockerEngine["send"] = (line, body) => callEngine(socketPath, line, body);
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    child = await started(home, socketPath, env);
  };
  const halt = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, "exit");
    child.kill("SIGCONT");
    child.kill("SIGTERM");
    await exit;
  };
  const clean = (): void => {
    child?.kill("SIGKILL");
    removeData(home);
  };
  const stopped = (): void => process.exit(1); // after a test runner's timeout; `clean` runs on "exit"
  process.on("exit", clean).once("SIGTERM", stopped).once("SIGINT", stopped);
  await start();
  const [repo, tag] = imageRef.split(":");
  const tar = await busyboxTar(find("busybox") ?? "");
  await send(`POST /images/create?fromSrc=-&repo=${repo}&tag=${tag}`, tar);
  return {
    host: `unix://${socketPath}`,
    imageRef,
    send,
    start,
    halt,
    async freeze() {
      if (child?.pid !== undefined) await freeze(child.pid);
    },
    thaw: () => void child?.kill("SIGCONT"),
    async stop() {
      await halt();
      clean();
      process.off("exit", clean).off("SIGTERM", stopped).off("SIGINT", stopped);
    },
  };
}

async function started(
  home: string,
  socketPath: string,
  env: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const args = {
    iptables: "false",
    bridge: "none",
    "storage-driver": "overlay2",
    "shutdown-timeout": "2",
    "data-root": join(home, "data"),
    "exec-root": join(home, "exec"),
    host: `unix://${socketPath}`,
    pidfile: join(home, "pid"),
  };
  const child = spawn(find("dockerd") ?? "dockerd", optionsOf(args), {
    cwd: home,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const lines = createInterface(child.stderr); // read to its end, or the engine would block
  const log: string[] = [];
  const isReady = await new Promise<boolean>((resolve) => {
    lines.on("line", (line) => {
      if (log.push(line) > 20) log.shift();
      if (line.includes("API listen on")) resolve(true);
    });
    child.once("exit", () => resolve(false));
  });
  if (isReady) return child;
  throw new Error(`dockerd does not start:\n${log.join("\n")}`);
}

/** Resolves when every thread is stopped: on a busy machine one may still send an answer after the signal. */
async function freeze(pid: number): Promise<void> {
  const tasks = `/proc/${pid}/task`;
  process.kill(pid, "SIGSTOP");
  while (!readdirSync(tasks).every((thread) => isStopped(join(tasks, thread, "status")))) {
    await setTimeout(5);
  }
}

function isStopped(statusFile: string): boolean {
  try {
    return /^State:\s+T/mu.test(readFileSync(statusFile, "utf8"));
  } catch {
    return true; // the thread has ended
  }
}

function optionsOf(args: Readonly<Record<string, string>>): string[] {
  return Object.entries(args).map(([name, value]) => `--${name}=${value}`);
}

/** Removes the mounts and child processes that a killed engine leaves behind. */
function removeData(home: string): void {
  for (const pid of ownProcesses(home)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
  const mounts = readFileSync("/proc/self/mounts", "utf8").split("\n");
  const ours = mounts.map((line) => line.split(" ")[1] ?? "").filter((at) => at.startsWith(home));
  for (const at of ours.toReversed()) execFileSync("umount", ["-l", at], { stdio: "ignore" });
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

/** The processes started with our folder in their arguments: containerd and its shims. */
function ownProcesses(home: string): number[] {
  const ps = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" });
  return ps
    .split("\n")
    .filter((line) => line.includes(home) && /containerd|dockerd/u.test(line))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => pid > 1 && pid !== process.pid);
}
