import type { Machines, Volumes } from "../../features/workspaces/machines.ts";
import type { Observation } from "../../features/workspaces/observation.ts";
import { chance, intBelow } from "../chance.ts";
import {
  engineState,
  refused,
  observationOf,
  type EngineOptions,
  type EngineState,
  type SimVolume,
} from "./engine-state.ts";
import { contentOf, tarOf } from "./home-content.ts";
import type { VirtualProcess } from "./kernel.ts";
import { inPieces, linkTo, type Link, type LinkOptions } from "./unreliable-link.ts";

/** One engine for all nodes, and what its users do in it. */
export interface SimEngine {
  machinesFor(process: VirtualProcess): Machines;
  at(id: string): Observation;
  contentOf(id: string): string | undefined;
  /** One that runs ends by itself: it is gone, or stopped and in the way. */
  failMachine(): void;
  /** Somebody works in one that runs. Answers what is in it now. */
  use(): { id: string; content: string } | undefined;
  hangsUntil(id: string, hangMs: number): number;
}

export const engineName = "there";

interface Engine {
  readonly options: LinkOptions & EngineOptions;
  readonly state: EngineState;
  readonly link: Link;
}

export function simulatedEngine(given: EngineOptions): SimEngine {
  const { random, faults, marks, observer } = given;
  const options = { ...given, name: "engine", isAway: () => faults.isEngineAway };
  const state = engineState(given);
  const engine: Engine = { options, state, link: linkTo(options) };
  let uses = 0;
  const anyRunning = () => {
    const running = state.running();
    return running[intBelow(random, running.length)] ?? ([undefined, undefined] as const);
  };
  return {
    machinesFor: (process) => machinesOf(engine, process),
    at: (id) => observationOf(state.of(id)),
    contentOf: (id) => state.of(id).volume?.content,
    hangsUntil: engine.link.hangsUntil,
    failMachine() {
      const [id, kept] = anyRunning();
      if (id === undefined) return;
      state.recordList();
      given.faulted(id);
      observer.ended(id);
      kept.machine = chance(random, 0.5) ? "stopped" : null;
      marks.reached(`a machine died and is ${kept.machine ?? "gone"}`);
    },
    use() {
      const [id, kept] = anyRunning();
      if (id === undefined || kept.volume === null) return undefined;
      uses += 1;
      kept.volume.content = `${id} ${uses}`;
      return { id, content: kept.volume.content };
    },
  };
}

function machinesOf(engine: Engine, process: VirtualProcess): Machines {
  const { state, link, options } = engine;
  const { random, faults, marks, observer } = options;
  const list = (): ReadonlyMap<string, Observation> => {
    const recentLists = state.recentLists();
    if (!chance(random, faults.staleList)) return state.listed();
    marks.reached("a list was stale");
    return recentLists[intBelow(random, recentLists.length)] ?? state.listed();
  };
  return {
    name: "sim",
    location: engineName,
    list: (signal) => link.call(process, { what: "list", id: "", signal, act: list }),
    inspect: (id, signal) =>
      link.call(process, { what: "look", id, signal, act: () => observationOf(state.of(id)) }),
    start({ id }, { signal, progress }) {
      const tookMs = 200 + intBelow(random, chance(random, 0.2) ? 20_000 : 2_000);
      progress("it is made");
      const act = (): void => state.start(process, id, tookMs);
      return link.call(process, { what: "start", id, signal, act, tookMs, mayHang: true });
    },
    remove(id, signal) {
      const tookMs = intBelow(random, 2_000);
      const act = (): void => {
        const { machine } = state.of(id);
        if (machine === null) return;
        if (machine === "running") observer.ended(id);
        state.change(process, id, "remove the machine").machine = null;
      };
      return link.call(process, { what: "remove", id, signal, act, tookMs, mayHang: true });
    },
    exec: () => () => {
      throw refused("Nothing is spawned here.");
    },
    check: () => Promise.resolve("simulated"),
    volumes: volumesOf(engine, process),
  };
}

function volumesOf({ state, link, options }: Engine, process: VirtualProcess): Volumes {
  return {
    provision(volume, signal) {
      const { id } = volume;
      const act = (): void => {
        if (state.of(id).volume !== null) return;
        const made: SimVolume = { marker: null, content: "", isWhole: true };
        state.change(process, id, "provision").volume = made;
      };
      return link.call(process, { what: "provision", id, signal, act, mayHang: true });
    },
    async read(id, signal) {
      const act = (): string => {
        const volume = state.volumeOf(id);
        if (volume === null) throw refused("There is no volume.");
        return volume.content;
      };
      const content = await link.call(process, { what: "read", id, signal, act });
      return inPieces(await tarOf(content), options, { process, id });
    },
    async restore({ id, marker }, tar, signal) {
      const begin = (): SimVolume => {
        state.removeVolume(process, id);
        const volume: SimVolume = { marker, content: "a part of it", isWhole: false };
        state.change(process, id, "restore").volume = volume;
        return volume;
      };
      const volume = await link.call(process, { what: "restore", id, signal, act: begin });
      const content = await contentOf(tar);
      const end = (): void => {
        if (state.of(id).volume !== volume) throw refused("The volume is another one by now.");
        Object.assign(volume, { content, isWhole: true });
      };
      await link.call(process, { what: "restored", id, signal, act: end });
    },
    remove(id, signal) {
      const act = (): void => state.removeVolume(process, id);
      return link.call(process, { what: "remove volume", id, signal, act, mayHang: true });
    },
  };
}
