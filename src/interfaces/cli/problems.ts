import type { CliPorts } from "./command.ts";

/** The same facts, with each `problem` in the reader's language: it is the sentence of an error. */
export async function inReadersLanguage<Facts>(facts: Facts, ports: CliPorts): Promise<Facts> {
  const translate = await ports.errorsIn((await ports.reader()).language);
  const translated = (value: unknown, name?: string): unknown => {
    if (typeof value === "string") return name === "problem" ? translate(value) : value;
    if (Array.isArray(value)) return value.map((each) => translated(each));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([key, each]) => [key, translated(each, key)]);
    return Object.fromEntries(entries);
  };
  return translated(facts) as Facts; // only texts are others
}
