import { exits, type CliPorts, type Command, type Typed } from "./command.ts";
import { input, type Input } from "./inputs.ts";
import { flagsFrom, settingInputs } from "./serve.ts";

const file = settingInputs.filter(({ name }) => name === "config");
const origin = input("--origin", "where each comes from", { kind: "switch" });

export const configCommands: readonly Command[] = [
  command("check", "Say whether the settings are right.", file, ({ config }, typed) =>
    config.check(flagsFrom(typed)),
  ),
  command("show", "Show every setting; secrets stay hidden.", [...file, origin], (ports, typed) =>
    ports.config.show(flagsFrom(typed), typed.input["origin"] === true),
  ),
  command("schema", "Show the JSON Schema of the file, for editors.", [], ({ config }) =>
    config.schema(),
  ),
  command("init", "Show a file with every setting, to begin with.", [], ({ config }) =>
    config.init(),
  ),
];

function command(
  second: string,
  words: string,
  inputs: readonly Input[],
  text: (ports: CliPorts, typed: Typed) => string,
): Command {
  return {
    name: `config ${second}`,
    words,
    inputs,
    hasJson: false,
    run(typed, ports) {
      ports.out(text(ports, typed).trimEnd());
      return Promise.resolve(exits.done);
    },
  };
}
