import type { Machines } from "../src/features/workspaces/machines.ts";
import { sqlite } from "../src/stores/sqlite/sqlite.ts";
import { msOf } from "./measure.ts";
import { partsIn, type Look } from "./workspaces-local.ts";
import { untilAll } from "./workspaces-node.ts";

/** Counts what changes something outside. */
function counting(machines: Machines): { machines: Machines; writes(): number } {
  let writes = 0;
  const { volumes } = machines;
  const counted = <Given extends readonly unknown[], Answer>(
    call: (...given: Given) => Promise<Answer>,
  ) => {
    return (...given: Given): Promise<Answer> => {
      writes += 1;
      return call(...given);
    };
  };
  return {
    machines: {
      ...machines,
      start: counted(machines.start),
      remove: counted(machines.remove),
      volumes: {
        ...volumes,
        provision: counted(volumes.provision),
        restore: counted(volumes.restore),
        remove: counted(volumes.remove),
      },
    },
    writes: () => writes,
  };
}

const [, , folder = "", count = ""] = process.argv;
const parts = partsIn(folder);
const counted = counting(parts.machines);
const ledger = await sqlite({ path: parts.path });
const ms = await msOf(() =>
  untilAll({ ...parts, machines: counted.machines, ledger }, Number(count)),
);
await ledger.close();
const rssMb = Math.round(process.memoryUsage().rss / 1_048_576);
const look: Look = { ms, writes: counted.writes(), rssMb };
console.log(JSON.stringify(look));
