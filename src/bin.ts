import "./platform/temporal.ts"; // first: the others use it
import { terminal } from "./app/daemon/terminal.ts";
import { exits } from "./interfaces/cli/command.ts";
import { runCli } from "./interfaces/cli/main.ts";

// The reader went away (`daybook list | head`), or its disk is full. Whoever writes hears of it from
// the write; the daemon goes on.
process.stdout.on("error", () => undefined);
process.stderr.on("error", () => undefined);
const exit = await runCli(process.argv.slice(2), terminal()).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  return exits.failed;
});
process.exitCode ||= exit; // it is set when the answer could not be written
