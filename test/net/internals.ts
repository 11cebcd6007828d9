import * as client from "../../src/app/library/client.ts";
import * as testing from "../../src/app/testing-kit/testing-kit.ts";
import { table } from "../../src/features/index.ts";
import * as main from "../../src/index.ts";

/** The net reaches into `src` only here. When the source moves, change the paths in this file and nothing else. */
export { client, main, testing };

/** The file that `bin/daybook.js` runs in a clone. */
export const program = new URL("../../src/bin.ts", import.meta.url);

/** The entry points of the package: what a program imports, and the file it gets in a clone. */
export const entries = {
  daybook: "src/index.ts",
  "daybook/client": "src/app/library/client.ts",
  "daybook/testing": "src/app/testing-kit/testing-kit.ts",
} as const;

/** What an operation accepts besides its documented input. No interface lists it, so it comes from the table. */
export function undocumentedInputs(): Readonly<Record<string, object>> {
  const rows = table.flatMap(({ name, aliases, ignored, route }) => {
    const { bodyBytesMax } = route;
    const accepts = { aliases, ignored, bodyBytesMax };
    return Object.values(accepts).every((each) => each === undefined) ? [] : [[name, accepts]];
  });
  return Object.fromEntries(rows) as Readonly<Record<string, object>>;
}
