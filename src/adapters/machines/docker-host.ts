import { DaybookError } from "../../platform/errors.ts";

/** How an engine is reached: a socket on this machine, or an address. */
export type EngineHost =
  | { readonly socketPath: string }
  | { readonly host: string; readonly port: number };

export const defaultDockerHost = "unix:///var/run/docker.sock";

/** Reads what DOCKER_HOST says. */
export function engineHost(text: string): EngineHost {
  if (text.startsWith("unix://")) {
    const socketPath = text.slice("unix://".length);
    if (socketPath.startsWith("/")) return { socketPath };
  } else if (URL.canParse(text)) {
    const { protocol, hostname, port } = new URL(text);
    const isPlain = protocol === "tcp:" || protocol === "http:";
    if (isPlain && hostname !== "") return { host: hostname, port: Number(port || 2_375) };
  }
  const toDo = "write it as unix:///path/to/docker.sock or tcp://host:port";
  throw new DaybookError("invalid", `DOCKER_HOST ${JSON.stringify(text)} cannot be used: ${toDo}.`);
}
