import type { Mutant } from "./table.ts";

/** Where bugs are looked for that a world of workspaces meets. */
const world = "always";
const plays = "features/workspaces/controller.test.ts";

/** Bugs in what is promised of workspaces: nothing is lost, what is asked becomes true, and nothing is done twice. */
export const alwaysMutants: readonly Mutant[] = [
  {
    name: "always: the volume goes before its archive is written down",
    file: "features/workspaces/actuator.ts",
    find: "    outcome = { ...outcome, archiveKey };\n    await save(outcome);\n",
    replace:
      "    outcome = { ...outcome, archiveKey };\n    await machines.volumes.remove(id, signal);\n    await save(outcome);\n",
    world,
  },
  {
    name: "always: an archive is not read back",
    file: "features/workspaces/archive-unit.ts",
    find: "const found = await sealOf(stoppable(await archives.get(key, signal), signal));\n  if (written === undefined",
    replace: "const found = written ?? { size: 0, sha256: '' };\n  if (written === undefined",
    test: { file: plays, name: "A10-7" },
  },
  {
    name: "always: any archive will do",
    file: "features/workspaces/actuator.ts",
    find: "before.opId !== null && before.archiveKey === archiveKeyOf(id, before.opId);",
    replace: "before.archiveKey !== null;",
    world,
  },
  {
    name: "always: an archive from before the last run will do",
    file: "features/workspaces/actuator.ts",
    find: '...(operation === "ARCHIVING" && !goesOn ? { opId: null } : {}),',
    replace: "",
    test: {
      file: "features/workspaces/actuator.test.ts",
      name: "forgets the archive of an earlier ARCHIVING",
    },
  },
  {
    name: "always: two nodes write the same archive",
    file: "features/workspaces/actuator.ts",
    find: "const opId = newOpId();",
    replace: "const opId = before.opId ?? newOpId();",
    world,
  },
  {
    name: "always: a part of a restore counts as the volume",
    file: "features/workspaces/observation.ts",
    find: "return volume !== null && (volume.marker === null || volume.marker === restoreMarker);",
    replace: "return volume !== null && restoreMarker !== '';",
    world,
  },
  {
    name: "always: what was begun is left alone",
    file: "features/workspaces/plan.ts",
    find: "return { do: outcome.operation, why:",
    replace: "return { do: null, why:",
    world,
  },
  {
    name: "always: ERROR heals by itself",
    file: "features/workspaces/plan.ts",
    find: 'if (state === "error") return',
    replace: 'if (state === "error" && body.asks < 0) return',
    world,
  },
  {
    name: "always: what is as it should be is not deleted",
    file: "features/workspaces/plan.ts",
    find: "if (body.deletedAt !== null) {",
    replace: 'if (body.deletedAt !== null && observation.machine === "running") {',
    world,
  },
  {
    name: "always: what cannot be seen is not there",
    file: "features/workspaces/controller.ts",
    find: 'if (handle.signal.aborted) return { saw: "stopped", outcome };\n',
    replace:
      'if (handle.signal.aborted) return { saw: "stopped", outcome };\n        if (outcome !== null) return { saw: "observed", observation: { machine: null, volume: null }, about };\n',
    world,
  },
  {
    name: "always: what was chosen outlasts what is asked",
    file: "features/workspaces/plan.ts",
    find: "return own !== null && own.asks === asks ? own.desired : desired;",
    replace: "return own !== null && asks > 0 ? own.desired : desired;",
    world,
  },
  {
    name: "always: only what runs counts",
    file: "features/workspaces/draft.ts",
    find: 'holds: holdsOf(owner, body.name, given.desired === "RUNNING" ? limits : undefined),',
    replace: "holds: holdsOf(owner, body.name, undefined),",
    world,
  },
  {
    name: "always: archives are collected at once",
    file: "features/workspaces/garbage.ts",
    find: ">= orphanMsMin);",
    replace: ">= 0);",
    world,
  },
  {
    name: "always: an archive that is being made is collected",
    file: "features/workspaces/garbage.ts",
    find: "    ...(opId === null ? [] : [unitPrefix(id, opId)]),\n",
    replace: "",
    test: { file: plays, name: "A10-9" },
  },
  {
    name: "always: the ledger is read before storage",
    file: "features/workspaces/garbage-collector.ts",
    find: '    const units = await listUnits(archives, "archives/", signal);\n',
    replace:
      '    const early = await everyWorkspace(ledger);\n    const units = await listUnits(archives, "archives/", signal);\n',
    also: {
      file: "features/workspaces/garbage-collector.ts",
      find: "    const workspaces = await everyWorkspace(ledger);\n",
      replace: "    const workspaces = early;\n",
    },
    test: { file: plays, name: "storage is read before the ledger" },
  },
  {
    name: "always: what is beside an archive is an orphan",
    file: "features/workspaces/garbage.ts",
    find: "const [, workspaceId, opId] = keyForm.exec(key) ?? [];",
    replace:
      'const [, workspaceId, op] = keyForm.exec(key) ?? [];\n    const opId = op && key.endsWith(".meta") ? `${op}.meta` : op;',
    test: { file: plays, name: "A10-9" },
  },
  {
    name: "always: nothing is too late",
    file: "features/workspaces/plan.ts",
    find: "return timeoutsMs[operation];",
    replace: "return 100 * timeoutsMs[operation];",
    test: { file: plays, name: "A10-13" },
  },
  {
    name: "always: faults are counted for ever",
    file: "features/workspaces/verdict.ts",
    find: "errorInfo: null, errorCount: 0 };",
    replace: "errorInfo: null };",
    also: { file: "features/workspaces/verdict.ts", find: "    errorCount: 0,\n", replace: "" },
    test: { file: plays, name: "faults are forgotten" },
  },
  {
    name: "always: who waits is not woken",
    file: "features/workspaces/verdict.ts",
    find: "consequences: { wake: wakesOf(record, about) }",
    replace: "consequences: { wake: [] }",
    world,
  },
  {
    name: "always: a volume goes although the lease may be another's",
    file: "features/workspaces/actuator.ts",
    find: "  trust();\n  await machines.volumes.remove(id, signal);\n  return outcome;",
    replace: "  await machines.volumes.remove(id, signal);\n  return outcome;",
    test: { file: plays, name: "whose lease may be another's" },
  },
  {
    name: "always: a machine that has stopped keeps its volume",
    file: "features/workspaces/actuator.ts",
    find: "  await machines.remove(id, signal); // also one that has stopped: it holds the volume\n",
    replace: "",
    world,
  },
  {
    name: "always: ERROR is told to nobody",
    file: "features/workspaces/failure.ts",
    find: "append: errorNotices(record, fault, about, facts.now),",
    replace: "append: [],",
    world,
  },
];
