import { exits, type CliPorts, type Command, type Typed } from "./command.ts";
import { input, type Input } from "./inputs.ts";

const origin = input("--origin", "show where each setting comes from", { kind: "switch" });
const print = input("--print", "print the file instead of writing it", { kind: "switch" });

export const check = command("check", "Check the settings.", [], ({ config }) => config.check());

export const show = command(
  "show",
  "Show every setting; secrets stay hidden.",
  [origin],
  ({ config }, typed) => config.show(typed.input["origin"] === true),
);

export const schema = command(
  "schema",
  "Show the JSON Schema of the file, for editors.",
  [],
  ({ config }) => config.schema(),
);

export const init = command(
  "init",
  "Create a settings file with every setting, commented out.",
  [print],
  ({ config }, typed) => (typed.input["print"] === true ? config.example() : config.init()),
);

function command(
  second: string,
  summary: string,
  inputs: readonly Input[],
  text: (ports: CliPorts, typed: Typed) => Promise<string>,
): Command {
  return {
    name: `config ${second}`,
    summary,
    inputs,
    hasJson: false,
    async run(typed, ports) {
      ports.out((await text(ports, typed)).trimEnd());
      return exits.done;
    },
  };
}
