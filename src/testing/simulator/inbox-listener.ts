import type { Listener, Attachment, Listeners } from "../../features/notifications/listeners.ts";
import { inboxOf } from "../../features/notifications/routing.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { chance, intBelow, pick } from "../chance.ts";
import type { VirtualProcess } from "./kernel.ts";
import type { World } from "./world.ts";

interface InboxListener {
  world: World;
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
export async function runInboxListener(self: InboxListener): Promise<void> {
  const { world, clock, random } = self;
  for (
    const open = (): boolean => world.phase === "disruption" || world.phase === "recovery";
    open();
  ) {
    const { nodeListeners, process: lifeOf } = pick(random, world.machines);
    const [node, process] = [nodeListeners(), lifeOf()];
    if (node !== undefined && process !== undefined) {
      const attached = attach(self, node, process);
      await stayAttached(self, process, () => nodeListeners() === node);
      if (process.alive) world.kernel.within(process, () => void attached.detach());
    }
    await sleep(clock, 100 + intBelow(random, world.phase === "disruption" ? 15_000 : 2_000));
  }
}

async function stayAttached(
  { world, clock, random }: InboxListener,
  process: VirtualProcess,
  open: () => boolean,
): Promise<void> {
  if (world.phase === "disruption") {
    // Some only look in.
    await sleep(clock, intBelow(random, chance(random, 0.3) ? 500 : 40_000));
  }
  while (world.phase === "recovery" && process.alive && open())
    await sleep(clock, 4 * world.scale.checkMs);
}

function attach(self: InboxListener, node: Listeners, process: VirtualProcess): Attachment {
  const { world, name, owner } = self;
  const { kernel, oracle, marks, shown } = world;
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
      for (const ms of ackDelaysMs(self)) kernel.after(ms, "ack", () => ack(message.id), process);
      const other = shown.find((each) => each.owner !== owner);
      if (other === undefined || !chance(self.random, 0.2)) return;
      marks.reached("a listener confirmed the message of another owner");
      kernel.after(1, "ack", () => ack(other.id), process);
    },
  };
  marks.reached("a listener attached");
  let attached: Attachment = { acked: () => undefined, detach: () => Promise.resolve() };
  kernel.within(process, () => (attached = node.attach(target, socket)));
  return { acked: ack, detach: () => attached.detach() };
}

/** After how long it confirms, each time that it does. */
function ackDelaysMs({ world, random }: InboxListener): readonly number[] {
  if (world.phase !== "disruption") return [1 + intBelow(random, 1_000)];
  const soon = 1 + intBelow(random, 2_000);
  const late = intBelow(random, 45_000);
  return pick<readonly number[]>(random, [[soon], [soon], [soon], [late], [soon, late], []]);
}
