import type { Controller } from "../../kernel/controller.ts";
import type { Host, NodeHost, NodePart } from "../../kernel/host.ts";
import { provide, provideOnce, type Provision } from "../../kernel/port.ts";
import { group, service, type Service } from "../../platform/service.ts";
import { targetCheck } from "../accounts/index.ts";
import { nodeSilenceMs } from "../nodes/index.ts";
import { busyTimes } from "./busy-times.ts";
import type { Channel } from "./channel.ts";
import { deliverer } from "./controller.ts";
import { numbers } from "./counter.ts";
import { downtime } from "./downtime.ts";
import { expirer } from "./expiry.ts";
import { type NotificationKind, socketQueue } from "./kind.ts";
import { type Listeners, listenerLanes, listenerChannels } from "./listeners.ts";
import { checkTarget } from "./operations/target.ts";
import { popUpController, unreadQueue } from "./pop-up.ts";
import {
  channelTap,
  deliveryHooks,
  nodeListeners,
  dayNumbers,
  nodeChannels,
  outputReader,
  popUps,
} from "./ports.ts";
import { inboxOf } from "./routing.ts";
import { wrongAnswers } from "./wrong-answers.ts";

export function notificationsProvide(host: Host): readonly Provision[] {
  return [
    provideOnce(dayNumbers, () => numbers(host.ledger)),
    provide(targetCheck, () => checkTarget),
  ];
}

export function notificationsOnNode(host: NodeHost): NodePart {
  const gap = downtime({ ...host, silenceMs: host.use(nodeSilenceMs) });
  const listeners = listenerChannels(() => host.clock.wall());
  const onWrongAnswer = wrongAnswers(host.events);
  const delivers = (channels: readonly Channel[]): Delivery =>
    deliverer({
      ...host,
      hooks: host.use(deliveryHooks),
      readOutput: host.use(outputReader),
      busy: host.use(busyTimes),
      channels: channels.map(host.use(channelTap)),
      onAttempt: gap.count,
      onWrongAnswer,
    });
  const { lanes, popUpServices } = listenerDelivery(host, listeners, delivers);
  return {
    sensors: [gap],
    services: [
      // A notification for listeners moves to this queue when it expires.
      host.run(delivers([...host.use(nodeChannels), ...listeners.channels])),
      host.run(expirer(host.ledger)),
      ...popUpServices,
      service({ start: () => Promise.resolve(), stop: () => lanes.stop() }),
    ],
    provides: [provide(nodeListeners, () => lanes)],
  };
}

type Delivery = ReturnType<typeof deliverer>;

/** There may be many listeners, and each write for one gives a hint. */
const lanePollMs = 30_000;
/** How many messages one listener is sent at once. */
const sendsPerListener = 16;

/** Delivery to listeners, and the pop-ups before it. */
function listenerDelivery(
  host: NodeHost,
  { sockets, channels }: ReturnType<typeof listenerChannels>,
  delivers: (channels: readonly Channel[]) => Delivery,
): { lanes: Listeners; popUpServices: readonly Service[] } {
  const runLane = <Seen>(
    controller: Controller<NotificationKind, Seen>,
    options: { queue: string; lane: string; isOnDemand: boolean },
  ): Service => {
    const { queue, ...lane } = options;
    const run = { ...lane, concurrency: sendsPerListener };
    return host.run({ ...controller, queue, pollMs: lanePollMs }, run);
  };
  const shown = host.use(popUps);
  const inboxes = shown?.owners.map((owner) => inboxOf(owner)) ?? [];
  const popUp = popUpController(delivers(shown === undefined ? [] : [shown.channel]));
  const toSockets = delivers(channels);
  const lanes = listenerLanes(sockets, (lane) => {
    // The pop-up of this node moves them to the unread queue.
    const queues = inboxes.includes(lane) ? [unreadQueue] : [socketQueue, unreadQueue];
    return group(queues.map((queue) => runLane(toSockets, { queue, lane, isOnDemand: true })));
  });
  const popUpServices = inboxes.map((lane) =>
    runLane(popUp, { queue: socketQueue, lane, isOnDemand: false }),
  );
  const has = (target: string): boolean => inboxes.includes(target) || lanes.has(target);
  return { lanes: { ...lanes, has }, popUpServices };
}
