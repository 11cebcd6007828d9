import * as z from "zod";
import { DaybookError } from "../base/errors.ts";
import type { Book } from "../ledger/ledger.ts";
import type { AnyRecord } from "../rules/record.ts";
import { quote } from "../rules/text.ts";
import { tell, type Explained } from "./explain-words.ts";
import { operation } from "./operation.ts";

const input = z.strictObject({ id: z.string().describe("which record") });

const depthMax = 16;

export const explain = operation({
  name: "explain",
  words: "Say why something did, did not, or will happen.",
  input,
  command: { name: "explain", positionals: ["id"] },
  async run({ id }, context): Promise<Explained> {
    const book = context.ledger.of(context.owner, context.by);
    const record = await book.get(id);
    if (record === undefined) {
      throw new DaybookError("not_found", `There is no record ${quote(id)} in this book.`);
    }
    const because = await causes(book, record);
    const { changes } = await book.changes({ id, limit: 500 });
    return { record, because, history: changes };
  },
  say: tell,
});

async function causes(book: Book, record: AnyRecord): Promise<AnyRecord[]> {
  const found: AnyRecord[] = [];
  let { parent } = record;
  while (parent !== null && found.length < depthMax) {
    const cause = await book.get(parent);
    if (cause === undefined) break;
    found.push(cause);
    ({ parent } = cause);
  }
  return found;
}
