import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A proxy for a server, which loses answers. Each connection to it is for one request. */
export interface LossyProxy {
  /** In the form of the server's. */
  readonly host: string;
  /** Forwards the next matching request, and loses its answer. */
  lose(request: RegExp): void;
  /** Runs something before the next matching request is forwarded. */
  before(request: RegExp, run: () => Promise<unknown>): void;
  /** The number of lost answers so far. */
  lost(): number;
  stop(): Promise<void>;
}

const unix = "unix://";

/** `host` is a socket, as `unix:///path`, or a port of this machine, as `http://127.0.0.1:80`. */
export async function lossyProxy(host: string): Promise<LossyProxy> {
  const isSocket = host.startsWith(unix);
  const dial = (): Socket =>
    isSocket ? connect(host.slice(unix.length)) : connect(Number(new URL(host).port), "127.0.0.1");
  let losing: RegExp | undefined;
  let first: { request: RegExp; run: () => Promise<unknown> } | undefined;
  let count = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const peer = dial();
    let isLost = false;
    for (const socket of [client, peer]) {
      open.add(socket);
      socket.on("error", () => undefined).once("close", () => open.delete(socket));
    }
    client.once("data", (head: Buffer) => {
      const text = head.toString("latin1");
      if (losing?.test(text) === true) {
        losing = undefined;
        isLost = true;
      }
      const run = first?.request.test(text) === true ? first.run : undefined;
      if (run !== undefined) first = undefined;
      client.pause();
      void (run?.() ?? Promise.resolve()).finally(() => {
        peer.write(head);
        client.pipe(peer);
      });
    });
    peer.on("data", (bytes: Buffer) => {
      if (!isLost) return void client.write(bytes);
      count += 1;
      client.destroy();
      peer.destroy();
    });
    peer.once("close", () => client.end());
    client.once("close", () => peer.destroy());
  });
  if (isSocket) server.listen(`${host.slice(unix.length)}.lossy`);
  else server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    host: typeof address === "string" ? unix + address : `http://127.0.0.1:${address?.port}`,
    lose: (request) => void (losing = request),
    before: (request, run) => void (first = { request, run }),
    lost: () => count,
    async stop() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, "close");
    },
  };
}
