import { exits, type CliPorts, type Command, type Typed } from "./command.ts";
import { input, type Input } from "./inputs.ts";

const origin = input("--origin", "where each comes from", { kind: "switch" });
const print = input("--print", "show it, and write nothing", { kind: "switch" });

export const configCommands: readonly Command[] = [
  command("check", "Say whether the settings are right.", [], ({ config }) => config.check()),
  command("show", "Show every setting; secrets stay hidden.", [origin], ({ config }, typed) =>
    config.show(typed.input["origin"] === true),
  ),
  command("schema", "Show the JSON Schema of the file, for editors.", [], ({ config }) =>
    config.schema(),
  ),
  command("init", "Write a file with every setting, to begin with.", [print], ({ config }, typed) =>
    typed.input["print"] === true ? config.example() : config.init(),
  ),
];

function command(
  second: string,
  words: string,
  inputs: readonly Input[],
  text: (ports: CliPorts, typed: Typed) => string | Promise<string>,
): Command {
  return {
    name: `config ${second}`,
    words,
    inputs,
    hasJson: false,
    async run(typed, ports) {
      ports.out((await text(ports, typed)).trimEnd());
      return exits.done;
    },
  };
}
