import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";

/** A socket to which test programs connect: each connection closes when its program ends. */
export interface Bell {
  /** JavaScript that connects, sends a name, and keeps its program alive. */
  ring(name: string): string;
  /** The names of the connected programs, in order. */
  readonly names: readonly string[];
  /** Resolves when a program with this name has connected. */
  rung(name: string): Promise<void>;
  /** Resolves when every connected program has ended. */
  gone(): Promise<void>;
  close(): void;
}

export async function bell(): Promise<Bell> {
  const names: string[] = [];
  const lines = new Set<Socket>();
  const heard = new EventTarget();
  const server = createServer((socket) => {
    lines.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", (name) => {
      names.push(name.toString());
      heard.dispatchEvent(new Event("rung"));
    });
    socket.once("close", () => {
      lines.delete(socket);
      heard.dispatchEvent(new Event("gone"));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    names,
    ring: (name) =>
      `const bell = require("net").connect(${port}, "127.0.0.1"); bell.write(${JSON.stringify(name)});`,
    async rung(name) {
      while (!names.includes(name)) await once(heard, "rung");
    },
    async gone() {
      while (lines.size > 0) await once(heard, "gone");
    },
    close() {
      for (const line of lines) line.destroy();
      server.close();
    },
  };
}
