import driver from "postgres";
import { systemClock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import { type Executor, fromPostgres } from "./executors.ts";
import { isLost } from "./faults.ts";

/** One connection, for one call at a time. A broken connection is never used again. */
interface Connection extends Executor {
  isDead(): boolean;
  end(): Promise<void>;
}

export interface Connections {
  /** Lends a connection until `run` has ended. */
  use<T>(run: (connection: Connection) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

type Driver = ReturnType<typeof driver>;

const connectMs = 10_000;

/** `onReady` is called when the server has accepted the user. */
export function connect(
  url: string,
  onClose: () => void,
  onReady: () => void = () => undefined,
): Driver {
  try {
    return driver(url, {
      max: 1,
      connect_timeout: connectMs / 1_000,
      idle_timeout: 0,
      max_lifetime: 0,
      // The store sends no arrays. If the server hangs up while the driver queries their types, the process ends:
      // the driver does not await that query.
      fetch_types: false,
      backoff: () => 0.2, // seconds; a call to a server that is down fails at once
      onclose: onClose,
      onparameter: onReady,
      onnotice: () => undefined,
      connection: {
        application_name: "daybook",
        default_transaction_isolation: "read committed",
        // Every statement goes by an index. A plan that was made when a table was small must not stay.
        enable_seqscan: "off",
        jit: "off", // before 18 the setting above makes plans look expensive enough to be compiled each time
      },
    });
  } catch (cause) {
    const sentence =
      "The store's URL cannot be parsed: write postgres://user:password@host:port/database.";
    throw new DaybookError("invalid", sentence, { cause });
  }
}

/**
 * The driver connects again by itself, so the rest of a transaction could run on the new connection, outside of
 * the transaction; and `begin` and `reserve` write to the lost socket, which ends the process (porsager/
 * postgres#1208, #1216; 3.4.9). So each connection has a driver of its own, and is discarded once it broke.
 */
function openConnection(url: string): Connection {
  let dead = false;
  let isReady = false;
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  const onReady = (): void => {
    isReady = true;
    resolve();
  };
  const sql = connect(url, () => (dead = true), onReady);
  const { query } = fromPostgres(sql);
  return {
    isDead: () => dead,
    async query(text, params) {
      if (dead)
        throw Object.assign(new Error("The connection is closed."), { code: "CONNECTION_CLOSED" });
      try {
        const request = query(text, params);
        return await (isReady ? request : orTimeout(request, ready));
      } catch (error) {
        dead ||= isLost(error) || error === notReady;
        throw error;
      }
    },
    end: () => sql.end({ timeout: 1 }),
  };
}

const notReady: Error = Object.assign(
  new Error("The server accepts connections and closes them."),
  {
    code: "CONNECT_TIMEOUT",
  },
);

/** When a server hangs up before it is ready, the driver reconnects without a pause and without end. */
async function orTimeout<T>(request: Promise<T>, ready: Promise<void>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const cancel = systemClock().after(connectMs, () => reject(notReady));
  void ready.then(cancel);
  try {
    return await Promise.race([request, late]);
  } finally {
    cancel();
  }
}

export function connections(url: string, max: number): Connections {
  const idle: Connection[] = [];
  const waiting: ((connection: Connection) => void)[] = [];
  let count = 0;
  let closing = false;

  const open = (): Connection => {
    count += 1;
    return openConnection(url);
  };
  const borrow = async (): Promise<Connection> => {
    for (let found = idle.pop(); found; found = idle.pop()) {
      if (!found.isDead()) return found;
      discard(found);
    }
    return count < max ? open() : new Promise((resolve) => waiting.push(resolve));
  };
  const discard = (connection: Connection): void => {
    count -= 1;
    void connection.end().catch(() => undefined);
  };
  const giveBack = (connection: Connection): void => {
    const next = waiting.shift();
    if (next && !connection.isDead()) return next(connection);
    // A notification may be running when the store closes: its connection ends after it.
    if (connection.isDead() || closing) discard(connection);
    else idle.push(connection);
    if (next) next(open());
  };
  return {
    async use(run) {
      const connection = await borrow();
      try {
        return await run(connection);
      } finally {
        giveBack(connection);
      }
    },
    async end() {
      closing = true;
      await Promise.allSettled(idle.splice(0).map((connection) => connection.end()));
    },
  };
}
