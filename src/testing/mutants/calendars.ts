import type { Mutant } from "./table.ts";

const suite = "features/calendars/suite.test.ts";
const equals = "equals the projection";

/** Bugs in the promises of calendars: exactly one entry for each record, and nothing of other people is touched. */
export const calendarMutants: readonly Mutant[] = [
  {
    name: "calendars: an entry is saved before it is created",
    file: "features/calendars/act.ts",
    find: "      return failedOf(item, step, toErrorData(error).message);",
    replace: "      return doneOf(item, step, now, { remoteId: item.id, etag: '' });",
    test: { file: suite, name: equals },
  },
  {
    name: "calendars: entries have random ids",
    file: "features/calendars/kind.ts",
    find: "letters(`${calendar}\\n${record}`, 28)",
    replace: "letters(`${calendar}\\n${record}${Math.random()}`, 28)",
    test: { file: suite, name: equals },
  },
  {
    name: "calendars: the version of an entry is forgotten",
    file: "features/calendars/plan.ts",
    find: 'if (sight.seen === "there" && sight.entry.location.etag !== location?.etag) {',
    replace: 'if (sight.seen === "there" && location === null) {',
    test: { file: suite, name: "is written again where a person changed" },
  },
  {
    name: "calendars: an error of the service counts as an empty calendar",
    file: "features/calendars/pass.ts",
    find: ".catch((error: unknown) => ({ error: asDaybookError(error) }));",
    replace: '.catch(() => ({ token: "", isComplete: true, entries: [] }) as RemoteChanges);',
    test: { file: "features/calendars/controller.test.ts", name: "is not read as empty" },
  },
  {
    name: "calendars: entries of other people are removed",
    file: "features/calendars/reading.ts",
    find: "    else foreign.push(entry);",
    replace: "    else ours.set(entry.id ?? entry.location.remoteId, entry);",
    test: { file: suite, name: equals },
  },
  {
    name: "calendars: the brake is skipped",
    file: "features/calendars/brake.ts",
    find: "return isFew || removals <= confirmed ? null : { removals, entries };",
    replace: "return isFew || removals > confirmed ? null : { removals, entries };",
    test: { file: suite, name: "cancels nothing when everything" },
  },
  {
    name: "calendars: the token advances past changes that were not acted on",
    file: "features/calendars/pass.ts",
    find: "token: isBehind || hands.isBehind ? position.token : changes.token,",
    replace: "token: changes.token,",
    test: { file: "features/calendars/controller.test.ts", name: "is tried again" },
  },
  {
    name: "calendars: one missing list cancels a record",
    file: "features/calendars/plan.ts",
    find: 'return isConfirmed ? { do: "cancel" } : { do: "doubt" };',
    replace: 'return isConfirmed ? { do: "cancel" } : { do: "cancel" };',
    test: { file: "features/calendars/plan.test.ts", name: "missing from a list" },
  },
];
