import { is } from "../../../kernel/kind.ts";
import type { Installation } from "../../../kernel/operation.ts";
import { untilFresh } from "../../../kernel/own-book.ts";
import type { AnyRecord } from "../../../kernel/record.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { readCallback } from "../callback.ts";
import { emptyOutcome, taskKind } from "../kind.ts";

/** How a run ended, as its receiver says it. */
interface Told {
  readonly owner: string;
  readonly id: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** Nothing is signed with it: a run that is not there answers as one whose secret is not known. */
const nobodys = "whsec_";

/** Takes in the end of a run that somebody else makes. Told twice, the first counts. */
export async function takeCallback(
  { ledger, now }: Pick<Installation, "ledger" | "now">,
  { owner, id, body, headers }: Told,
): Promise<void> {
  const book = ledger.of(owner, "callback");
  await untilFresh(async () => {
    const record = await book.get(id);
    const { runId, callback } = readCallback(body, headers, secretOf(record) ?? nobodys, now());
    if (!is(taskKind, record) || runId !== id) {
      throw new DaybookError("refused", "The callback is of another run: look at its address.");
    }
    if (record.endedAt !== null) {
      const sentence = "The run has ended: what is told of it now is not taken.";
      throw new DaybookError("ended", sentence, { details: { state: record.state } });
    }
    if (record.outcome?.callback !== undefined) return;
    // Under a lease the wake is not used: the settle to come sees that the record moved.
    await book.edit({
      kind: "task",
      id,
      ifRevision: record.revision,
      outcome: { ...(record.outcome ?? emptyOutcome), callback: { ...callback } },
      wakeAt: now(),
      note: "its end was told",
    });
  });
}

function secretOf(record: AnyRecord | undefined): string | undefined {
  if (!is(taskKind, record) || record.body.name !== "http") return undefined;
  const { secret } = (record.body.input ?? {}) as { secret?: unknown };
  return typeof secret === "string" ? secret : undefined;
}
