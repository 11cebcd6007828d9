import type { Machines, Volumes } from "../../features/workspaces/machines.ts";
import type { Observation } from "../../features/workspaces/observation.ts";
import { chance, intBelow } from "../chance.ts";
import {
  engineState,
  refused,
  sightingOf,
  type EngineOptions,
  type EngineState,
  type SimVolume,
} from "./engine-state.ts";
import { contentOf, tarOf } from "./home-content.ts";
import { inPieces, lineTo, type Line, type LineOptions } from "./keep-line.ts";
import type { Life } from "./kernel.ts";

/** One engine for all nodes, and what its users do in it. */
export interface SimEngine {
  machinesFor(life: Life): Machines;
  at(id: string): Observation;
  contentOf(id: string): string | undefined;
  /** One that runs ends by itself: it is gone, or stopped and in the way. */
  die(): void;
  /** Somebody works in one that runs. Answers what is in it now. */
  use(): { id: string; content: string } | undefined;
  hangsUntil(id: string, hangMs: number): number;
}

export const place = "there";

interface Engine {
  readonly options: LineOptions & EngineOptions;
  readonly state: EngineState;
  readonly line: Line;
}

export function simEngine(given: EngineOptions): SimEngine {
  const { random, faults, marks, tap } = given;
  const options = { ...given, name: "engine", isAway: () => faults.isEngineAway };
  const state = engineState(given);
  const engine: Engine = { options, state, line: lineTo(options) };
  let uses = 0;
  const anyRunning = () => {
    const running = state.running();
    return running[intBelow(random, running.length)] ?? ([undefined, undefined] as const);
  };
  return {
    machinesFor: (life) => machinesOf(engine, life),
    at: (id) => sightingOf(state.of(id)),
    contentOf: (id) => state.of(id).volume?.content,
    hangsUntil: engine.line.hangsUntil,
    die() {
      const [id, kept] = anyRunning();
      if (id === undefined) return;
      state.remember();
      given.harmed(id);
      tap.ended(id);
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

function machinesOf(engine: Engine, life: Life): Machines {
  const { state, line, options } = engine;
  const { random, faults, marks, tap } = options;
  const list = (): ReadonlyMap<string, Observation> => {
    const lately = state.lately();
    if (!chance(random, faults.staleList)) return state.listed();
    marks.reached("a list was old");
    return lately[intBelow(random, lately.length)] ?? state.listed();
  };
  return {
    name: "sim",
    place,
    list: (signal) => line.ask(life, { what: "list", id: "", signal, act: list }),
    inspect: (id, signal) =>
      line.ask(life, { what: "look", id, signal, act: () => sightingOf(state.of(id)) }),
    start({ id }, { signal, progress }) {
      const tookMs = 200 + intBelow(random, chance(random, 0.2) ? 20_000 : 2_000);
      progress("it is made");
      const act = (): void => state.start(life, id, tookMs);
      return line.ask(life, { what: "start", id, signal, act, tookMs, mayHang: true });
    },
    remove(id, signal) {
      const tookMs = intBelow(random, 2_000);
      const act = (): void => {
        const { machine } = state.of(id);
        if (machine === null) return;
        if (machine === "running") tap.ended(id);
        state.change(life, id, "remove the machine").machine = null;
      };
      return line.ask(life, { what: "remove", id, signal, act, tookMs, mayHang: true });
    },
    exec: () => () => {
      throw refused("Nothing is spawned here.");
    },
    check: () => Promise.resolve("simulated"),
    volumes: volumesOf(engine, life),
  };
}

function volumesOf({ state, line, options }: Engine, life: Life): Volumes {
  return {
    provision(volume, signal) {
      const { id } = volume;
      const act = (): void => {
        if (state.of(id).volume !== null) return;
        const made: SimVolume = { marker: null, content: "", isWhole: true };
        state.change(life, id, "provision").volume = made;
      };
      return line.ask(life, { what: "provision", id, signal, act, mayHang: true });
    },
    async read(id, signal) {
      const act = (): string => {
        const volume = state.volumeOf(id);
        if (volume === null) throw refused("There is no volume.");
        return volume.content;
      };
      const content = await line.ask(life, { what: "read", id, signal, act });
      return inPieces(await tarOf(content), options, { life, id });
    },
    async restore({ id, marker }, tar, signal) {
      const begin = (): SimVolume => {
        state.removeVolume(life, id);
        const volume: SimVolume = { marker, content: "a part of it", isWhole: false };
        state.change(life, id, "restore").volume = volume;
        return volume;
      };
      const volume = await line.ask(life, { what: "restore", id, signal, act: begin });
      const content = await contentOf(tar);
      const end = (): void => {
        if (state.of(id).volume !== volume) throw refused("The volume is another one by now.");
        Object.assign(volume, { content, isWhole: true });
      };
      await line.ask(life, { what: "restored", id, signal, act: end });
    },
    remove(id, signal) {
      const act = (): void => state.removeVolume(life, id);
      return line.ask(life, { what: "remove volume", id, signal, act, mayHang: true });
    },
  };
}
