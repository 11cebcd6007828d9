import type { Listener, Attachment, Listeners } from "../../features/notifications/listeners.ts";
import { inboxOf } from "../../features/notifications/routing.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { chance, intBelow, pick } from "../chance.ts";
import type { Cast } from "./cast.ts";
import type { Life } from "./kernel.ts";

interface Ear {
  cast: Cast;
  name: string;
  owner: string;
  clock: Clock;
  random: Random;
}

/** How far a listener looks back for something that is not theirs to confirm. */
const shownMax = 20;

/**
 * Listens to an owner's inbox on one machine after another, and goes away again. It confirms late, twice,
 * never, after it left, and what others were shown. Once all is healed it stays, and confirms.
 */
export async function runEar(ear: Ear): Promise<void> {
  const { cast, clock, random } = ear;
  for (const open = (): boolean => cast.phase === "wrong" || cast.phase === "healed"; open();) {
    const { nodeListeners, life: lifeOf } = pick(random, cast.machines);
    const [node, life] = [nodeListeners(), lifeOf()];
    if (node !== undefined && life !== undefined) {
      const attached = attach(ear, node, life);
      await stay(ear, life, () => nodeListeners() === node);
      if (life.alive) cast.kernel.within(life, () => void attached.detach());
    }
    await sleep(clock, 100 + intBelow(random, cast.phase === "wrong" ? 15_000 : 2_000));
  }
}

async function stay({ cast, clock, random }: Ear, life: Life, open: () => boolean): Promise<void> {
  if (cast.phase === "wrong") {
    // Some only look in.
    await sleep(clock, intBelow(random, chance(random, 0.3) ? 500 : 40_000));
  }
  while (cast.phase === "healed" && life.alive && open()) await sleep(clock, 4 * cast.scale.lookMs);
}

function attach(ear: Ear, node: Listeners, life: Life): Attachment {
  const { cast, name, owner } = ear;
  const { kernel, oracle, marks, shown } = cast;
  const target = inboxOf(owner);
  const ack = (id: string): void => {
    oracle.sends.acked(target, name, id);
    attached.acked(id);
  };
  const socket: Listener = {
    name,
    show(message) {
      oracle.sends.shown(message, { owner, name });
      shown.unshift({ id: message.id, owner: message.owner });
      shown.length = Math.min(shown.length, shownMax);
      for (const ms of answersMs(ear)) kernel.after(ms, "ack", () => ack(message.id), life);
      const other = shown.find((each) => each.owner !== owner);
      if (other === undefined || !chance(ear.random, 0.2)) return;
      marks.reached("confirmed what is another's");
      kernel.after(1, "ack", () => ack(other.id), life);
    },
  };
  marks.reached("a listener came");
  let attached: Attachment = { acked: () => undefined, detach: () => Promise.resolve() };
  kernel.within(life, () => (attached = node.attach(target, socket)));
  return { acked: ack, detach: () => attached.detach() };
}

/** After how long it confirms, each time that it does. */
function answersMs({ cast, random }: Ear): readonly number[] {
  if (cast.phase !== "wrong") return [1 + intBelow(random, 1_000)];
  const soon = 1 + intBelow(random, 2_000);
  const late = intBelow(random, 45_000);
  return pick<readonly number[]>(random, [[soon], [soon], [soon], [late], [soon, late], []]);
}
