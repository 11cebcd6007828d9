import { DaybookError } from "../../platform/errors.ts";
import { exits, type CliPorts, type OperationEntry, type Run } from "./command.ts";
import { textsOf } from "./texts.ts";

/** Shows what would be cancelled, and asks, unless `--yes` was typed. */
export function cancelAllRun(operation: OperationEntry): Run {
  return async ({ input: { yes, ...input }, json }, ports) => {
    const { columns, color } = ports;
    const format = json ? "json" : ({ columns, color } as const);
    const { output } = await ports.ask(operation, { ...input, dry_run: true }, "json");
    const { matched } = output as { readonly matched: number }; // the operation's own answer
    const isDry = input["dry_run"] === true || matched === 0;
    if (isDry || yes !== true) {
      const preview = await ports.ask(operation, { ...input, dry_run: true }, format);
      if (isDry) return print(preview.text, ports);
      if (!(await isConfirmed(preview.text, matched, ports))) return exits.failed;
    }
    return print((await ports.ask(operation, input, format)).text, ports);
  };
}

function print(text: string, { out }: CliPorts): number {
  out(text);
  return exits.done;
}

async function isConfirmed(preview: string, matched: number, ports: CliPorts): Promise<boolean> {
  ports.err(preview);
  const texts = textsOf((await ports.reader()).language);
  const answer = await ports.confirm(texts.cancelAll(matched));
  if (answer === false) ports.err(texts.nothingCancelled);
  if (answer !== undefined) return answer;
  const sentence = `There is no terminal to ask at, so nothing was cancelled: add --yes to cancel ${matched}.`;
  throw new DaybookError("refused", sentence);
}
