import { Socket } from "node:net";

/**
 * Limits the statements that this process sends to PostgreSQL, and kills the process when the last one is sent:
 * before the next one, and before any answer to the last one is read. The server receives the same bytes either way, so
 * all limits together are a crash before and after each statement. Statements that share one write are split.
 */
export function killAfterStatements(allowed: number): void {
  const { write } = Socket.prototype;
  const kill = (): boolean => process.kill(process.pid, "SIGKILL");
  let left = allowed;
  let isLast = false;
  Socket.prototype.write = function limited(this: Socket, ...args: unknown[]): boolean {
    const [bytes] = args;
    // Other sockets are this process's own output.
    const isQuery = Buffer.isBuffer(bytes) && this.remotePort !== undefined;
    if (!isQuery) return Reflect.apply(write, this, args);
    if (isLast) return true;
    const ends = statementEnds(bytes);
    isLast = ends.length >= left;
    if (isLast && left === 0) return kill();
    const end = ends[left - 1];
    left -= ends.length;
    return Reflect.apply(write, this, isLast ? [bytes.subarray(0, end), kill] : args);
  };
}

/** The offsets in a write at which its statements end: each has a Sync message, or is a simple query. */
function statementEnds(bytes: Buffer): readonly number[] {
  const ends: number[] = [];
  for (let at = 0; at + 5 <= bytes.length;) {
    const type = String.fromCharCode(bytes.readUInt8(at));
    at += 1 + bytes.readUInt32BE(at + 1);
    if (type === "S" || type === "Q") ends.push(at);
  }
  return ends;
}
