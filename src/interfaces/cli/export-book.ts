import { exits, type OperationEntry, type Run } from "./command.ts";
import { textsOf } from "./texts.ts";

interface Page {
  readonly lines: readonly string[];
  readonly next: string | null;
}

/** Prints the whole file, page after page. */
export function exportRun(operation: OperationEntry): Run {
  return async ({ input }, ports) => {
    const texts = textsOf((await ports.reader()).language);
    await ports.asking(async (ask) => {
      let count = 0;
      for (let after: string | null | undefined; after !== null;) {
        const { output } = await ask(operation, { ...input, after }, "json");
        const { lines, next } = output as Page; // the operation's own answer
        if (lines.length > 0) await ports.show(lines.join("\n"));
        count += lines.length;
        after = next;
        ports.progress(next === null ? "" : texts.exported(count));
      }
    });
    return exits.done;
  };
}
