import type { Mutant } from "./table.ts";

/** The world of the simulator that has workspaces. */
const world = "workspaces";
const scenarios = "features/workspaces/controller.test.ts";

/** Bugs in the promises of workspaces: no data is lost, the desired state is reached, and no operation is done twice. */
export const workspaceMutants: readonly Mutant[] = [
  {
    name: "workspaces: the volume is removed before its archive is recorded",
    file: "features/workspaces/actuator.ts",
    find: "    outcome = { ...outcome, archiveKey };\n    await save(outcome);\n",
    replace:
      "    outcome = { ...outcome, archiveKey };\n    await machines.volumes.remove(id, signal);\n    await save(outcome);\n",
    world,
  },
  {
    name: "workspaces: an archive is not read back",
    file: "features/workspaces/archive-unit.ts",
    find: "const found = await sealOf(stoppable(await archives.get(key, signal), signal));\n  if (written === undefined",
    replace: "const found = written ?? { size: 0, sha256: '' };\n  if (written === undefined",
    test: { file: scenarios, name: "A10-7" },
  },
  {
    name: "workspaces: any archive counts",
    file: "features/workspaces/actuator.ts",
    find: "before.opId !== null && before.archiveKey === archiveKeyOf(id, before.opId);",
    replace: "before.archiveKey !== null;",
    world,
  },
  {
    name: "workspaces: an archive from before the last run counts",
    file: "features/workspaces/actuator.ts",
    find: 'opId: operation === "ARCHIVING" && isNew ? null : outcome.opId,',
    replace: "",
    test: {
      file: "features/workspaces/actuator.test.ts",
      name: "drops the archive of an earlier ARCHIVING",
    },
  },
  {
    name: "workspaces: two nodes write the same archive",
    file: "features/workspaces/actuator.ts",
    find: "const opId = newOpId();",
    replace: "const opId = before.opId ?? newOpId();",
    world,
  },
  {
    name: "workspaces: half a restore counts as the volume",
    file: "features/workspaces/observation.ts",
    find: "return volume !== null && (volume.marker === null || volume.marker === restoreMarker);",
    replace: "return volume !== null && restoreMarker !== '';",
    world,
  },
  {
    name: "workspaces: a started operation is not continued",
    file: "features/workspaces/plan.ts",
    find: "return { do: outcome.operation, why:",
    replace: "return { do: null, why:",
    world,
  },
  {
    name: "workspaces: ERROR ends without a person",
    file: "features/workspaces/plan.ts",
    find: 'if (state === "error") return',
    replace: 'if (state === "error" && body.asks < 0) return',
    world,
  },
  {
    name: "workspaces: a reconciled workspace is not deleted",
    file: "features/workspaces/plan.ts",
    find: "if (body.deletedAt !== null) {",
    replace: 'if (body.deletedAt !== null && observation.machine === "running") {',
    world,
  },
  {
    name: "workspaces: an unreachable workspace counts as absent",
    file: "features/workspaces/controller.ts",
    find: 'if (handle.signal.aborted) return { saw: "stopped", outcome };\n',
    replace:
      'if (handle.signal.aborted) return { saw: "stopped", outcome };\n        if (outcome !== null) return { saw: "observed", observation: { machine: null, volume: null }, context };\n',
    world,
  },
  {
    name: "workspaces: a choice outlasts the next request",
    file: "features/workspaces/plan.ts",
    find: "return own !== null && own.asks === asks ? own.desired : desired;",
    replace: "return own !== null && asks > 0 ? own.desired : desired;",
    world,
  },
  {
    name: "workspaces: only running workspaces hold slots",
    file: "features/workspaces/draft.ts",
    find: 'holds: holdsOf(owner, body.name, given.desired === "RUNNING" ? limits : undefined),',
    replace: "holds: holdsOf(owner, body.name, undefined),",
    world,
  },
  {
    name: "workspaces: orphans are removed at once",
    file: "features/workspaces/garbage.ts",
    find: ">= orphanMsMin);",
    replace: ">= 0);",
    world,
  },
  {
    name: "workspaces: an archive that is being made is an orphan",
    file: "features/workspaces/garbage.ts",
    find: "    ...(opId === null ? [] : [unitPrefix(id, opId)]),\n",
    replace: "",
    test: { file: scenarios, name: "A10-9" },
  },
  {
    name: "workspaces: the ledger is read before storage",
    file: "features/workspaces/garbage-collector.ts",
    find: '    const units = await listUnits(archives, "archives/", signal);\n',
    replace:
      '    const early = await everyWorkspace(ledger);\n    const units = await listUnits(archives, "archives/", signal);\n',
    also: {
      file: "features/workspaces/garbage-collector.ts",
      find: "    const workspaces = await everyWorkspace(ledger);\n",
      replace: "    const workspaces = early;\n",
    },
    test: { file: scenarios, name: "storage is read before the ledger" },
  },
  {
    name: "workspaces: the meta object of an archive is an orphan",
    file: "features/workspaces/garbage.ts",
    find: "const [, workspaceId, opId] = keyForm.exec(key) ?? [];",
    replace:
      'const [, workspaceId, op] = keyForm.exec(key) ?? [];\n    const opId = op && key.endsWith(".meta") ? `${op}.meta` : op;',
    test: { file: scenarios, name: "A10-9" },
  },
  {
    name: "workspaces: no operation times out",
    file: "features/workspaces/plan.ts",
    find: "return timeoutsMs[operation];",
    replace: "return 100 * timeoutsMs[operation];",
    test: { file: scenarios, name: "A10-13" },
  },
  {
    name: "workspaces: errors are counted for ever",
    file: "features/workspaces/verdict.ts",
    find: "errorInfo: null, errorCount: 0 };",
    replace: "errorInfo: null };",
    also: { file: "features/workspaces/verdict.ts", find: "    errorCount: 0,\n", replace: "" },
    test: { file: scenarios, name: "errors are cleared" },
  },
  {
    name: "workspaces: waiting tasks are not woken",
    file: "features/workspaces/verdict.ts",
    find: "consequences: isUp ? { wake: wakesOf(record, context) } : undefined",
    replace: "consequences: undefined",
    world,
  },
  {
    name: "workspaces: a volume is removed without a certain lease",
    file: "features/workspaces/actuator.ts",
    find: "  trust();\n  await machines.volumes.remove(id, signal);\n  return outcome;",
    replace: "  await machines.volumes.remove(id, signal);\n  return outcome;",
    test: { file: scenarios, name: "whose lease may be another's" },
  },
  {
    name: "workspaces: a stopped machine keeps its volume",
    file: "features/workspaces/actuator.ts",
    find: "  await machines.remove(id, signal); // a stopped machine holds the volume too\n",
    replace: "",
    world,
  },
  {
    name: "workspaces: ERROR sends no notice",
    file: "features/workspaces/error-verdict.ts",
    find: "append: errorNotices(record, error, context, facts.now),",
    replace: "append: [],",
    world,
  },
];
