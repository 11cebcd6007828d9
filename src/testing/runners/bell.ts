import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";

/** Where programs ring when they are up: a line that closes when its program is gone. */
export interface Bell {
  /** JavaScript that rings, says a name, and keeps its program alive until somebody ends it. */
  ring(name: string): string;
  /** The names that were said, in order. */
  readonly names: readonly string[];
  /** Resolves when a program with this name has rung. */
  rung(name: string): Promise<void>;
  /** Resolves when every program that rang is gone. */
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
