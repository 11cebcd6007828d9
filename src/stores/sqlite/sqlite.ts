import type { Ledger } from "../../kernel/ledger.ts";
import { ledgerOver } from "../../kernel/verbs.ts";
import { DaybookError } from "../../platform/errors.ts";
import { grouped } from "./group.ts";
import { startThread } from "./thread.ts";
import { wakeHints } from "./wake-hints.ts";
import type { Reply, ThreadData } from "./wire.ts";

export type SqliteOptions = ThreadData;

/** The ledger in a file: the embedded default. Other processes may open the same file. */
export async function sqlite(options: SqliteOptions): Promise<Ledger> {
  const thread = await startThread(options);
  const hints = wakeHints(options.path, async () => {
    const { version } = await expecting("version", thread.ask({ what: "version" }));
    return version;
  });
  const calls = grouped(async (calls) => {
    const reply = await expecting("answers", thread.ask({ what: "calls", calls }));
    hints.tell(reply.hints);
    return reply.answers;
  });
  return ledgerOver({
    perform: calls.perform,
    onHint: hints.onHint,
    lost: thread.lost,
    async close() {
      hints.close();
      await calls.close();
      await thread.close();
    },
  });
}

async function expecting<W extends Reply["what"]>(
  what: W,
  request: Promise<Reply>,
): Promise<Extract<Reply, { what: W }>> {
  const reply = await request;
  if (reply.what !== what) {
    throw new DaybookError("bug", `The ledger's thread answered "${reply.what}", not "${what}".`);
  }
  return reply as Extract<Reply, { what: W }>;
}
