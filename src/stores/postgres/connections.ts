import driver from "postgres";
import { systemClock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import { type Executor, fromPostgres } from "./executors.ts";
import { isLost } from "./faults.ts";

/** One connection. It is used by one call at a time, and never again after it broke. */
interface Line extends Executor {
  isDead(): boolean;
  end(): Promise<void>;
}

export interface Connections {
  /** Lends a connection until `run` has ended. */
  use<T>(run: (line: Line) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

type Driver = ReturnType<typeof driver>;

const connectMs = 10_000;

/** `onUp`: the server has let the user in. */
export function connect(
  url: string,
  onClose: () => void,
  onUp: () => void = () => undefined,
): Driver {
  try {
    return driver(url, {
      max: 1,
      connect_timeout: connectMs / 1_000,
      idle_timeout: 0,
      max_lifetime: 0,
      // We send no arrays. Whoever hangs up while the driver asks for their types ends the process: nobody awaits that.
      fetch_types: false,
      backoff: () => 0.2, // seconds; a call that meets a server that is away fails, it does not wait
      onclose: onClose,
      onparameter: onUp,
      onnotice: () => undefined,
      connection: {
        application_name: "daybook",
        default_transaction_isolation: "read committed",
        // Every statement goes by an index. A plan that was made when a table was small must not stay.
        enable_seqscan: "off",
        jit: "off", // before 18 the setting above makes plans look dear enough to be compiled each time
      },
    });
  } catch (cause) {
    const sentence = "The store's URL is wrong: write postgres://user:password@host:port/database.";
    throw new DaybookError("invalid", sentence, { cause });
  }
}

/**
 * The driver connects again by itself, so that the rest of a transaction could run on the new connection,
 * outside of it; and `begin` and `reserve` write to the lost socket, which ends the process (porsager/
 * postgres#1208, #1216; 3.4.9). So each connection is a driver of its own, and is thrown away once it broke.
 */
function lineTo(url: string): Line {
  let dead = false;
  let isUp = false;
  const { promise: up, resolve } = Promise.withResolvers<void>();
  const onUp = (): void => {
    isUp = true;
    resolve();
  };
  const sql = connect(url, () => (dead = true), onUp);
  const { query } = fromPostgres(sql);
  return {
    isDead: () => dead,
    async query(text, params) {
      if (dead)
        throw Object.assign(new Error("The connection is gone."), { code: "CONNECTION_CLOSED" });
      try {
        const request = query(text, params);
        return await (isUp ? request : unlessShut(request, up));
      } catch (error) {
        dead ||= isLost(error) || error === shut;
        throw error;
      }
    },
    end: () => sql.end({ timeout: 1 }),
  };
}

const shut: Error = Object.assign(new Error("It takes connections and shuts them."), {
  code: "CONNECT_TIMEOUT",
});

/** When a server hangs up before it has let us in, the driver tries again, without a pause and for ever. */
async function unlessShut<T>(request: Promise<T>, up: Promise<void>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const cancel = systemClock().after(connectMs, () => reject(shut));
  void up.then(cancel);
  try {
    return await Promise.race([request, late]);
  } finally {
    cancel();
  }
}

export function connections(url: string, max: number): Connections {
  const idle: Line[] = [];
  const waiting: ((line: Line) => void)[] = [];
  let count = 0;
  let closing = false;

  const open = (): Line => {
    count += 1;
    return lineTo(url);
  };
  const borrow = async (): Promise<Line> => {
    for (let line = idle.pop(); line; line = idle.pop()) {
      if (!line.isDead()) return line;
      discard(line);
    }
    return count < max ? open() : new Promise((resolve) => waiting.push(resolve));
  };
  const discard = (line: Line): void => {
    count -= 1;
    void line.end().catch(() => undefined);
  };
  const giveBack = (line: Line): void => {
    const next = waiting.shift();
    if (next && !line.isDead()) return next(line);
    // A hint may still be on its way when the store closes: its connection ends after it.
    if (line.isDead() || closing) discard(line);
    else idle.push(line);
    if (next) next(open());
  };
  return {
    async use(run) {
      const line = await borrow();
      try {
        return await run(line);
      } finally {
        giveBack(line);
      }
    },
    async end() {
      closing = true;
      await Promise.allSettled(idle.splice(0).map((line) => line.end()));
    },
  };
}
