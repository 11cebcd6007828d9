import { Socket } from "node:net";

/**
 * From now on this process may send so many statements to a PostgreSQL server, and is killed as soon as
 * they are sent: before the next one, and before any answer to the last one is looked at. The server sees
 * the same bytes either way, so that all numbers together are a death before and after each statement.
 * Statements that go in one write are taken apart.
 */
export function dieAfterStatements(allowed: number): void {
  const { write } = Socket.prototype;
  const die = (): boolean => process.kill(process.pid, "SIGKILL");
  let left = allowed;
  let isDying = false;
  Socket.prototype.write = function cut(this: Socket, ...args: unknown[]): boolean {
    const [bytes] = args;
    // Other sockets are this process's own output.
    const isQuery = Buffer.isBuffer(bytes) && this.remotePort !== undefined;
    if (!isQuery) return Reflect.apply(write, this, args);
    if (isDying) return true;
    const ends = statementEnds(bytes);
    isDying = ends.length >= left;
    if (isDying && left === 0) return die();
    const end = ends[left - 1];
    left -= ends.length;
    return Reflect.apply(write, this, isDying ? [bytes.subarray(0, end), die] : args);
  };
}

/** Where the statements of a write end: each goes with a Sync, or is a simple query. */
function statementEnds(bytes: Buffer): readonly number[] {
  const ends: number[] = [];
  for (let at = 0; at + 5 <= bytes.length;) {
    const sort = String.fromCharCode(bytes.readUInt8(at));
    at += 1 + bytes.readUInt32BE(at + 1);
    if (sort === "S" || sort === "Q") ends.push(at);
  }
  return ends;
}
