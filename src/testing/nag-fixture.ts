import { plainProfile } from "../features/accounts/profile.ts";
import type { NagChange } from "../features/nags/change.ts";
import { nagController } from "../features/nags/controller.ts";
import { builtInCurves } from "../features/nags/curve.ts";
import {
  makeNag,
  type NagRequest,
  type NagOwner,
  type NagKind,
  nagKind,
} from "../features/nags/kind.ts";
import { makePage, type PageKind, pageKind } from "../features/nags/page.ts";
import type { Channel, Message } from "../features/notifications/channel.ts";
import { deliverer } from "../features/notifications/controller.ts";
import { type NotificationKind, notificationKind } from "../features/notifications/kind.ts";
import type { Sent } from "../features/notifications/receipt.ts";
import { is, type Kind } from "../kernel/kind.ts";
import type { Profile } from "../kernel/profile.ts";
import type { AnyRecord, LedgerRecord } from "../kernel/record.ts";
import { runController } from "../kernel/runtime.ts";
import type { Shape } from "../kernel/shape.ts";
import type { Service } from "../platform/service.ts";
import { nodeFixture, type NodeFixture } from "./node-fixture.ts";

type Nag = LedgerRecord<NagKind>;
type Notification = LedgerRecord<NotificationKind>;

/** Everything that sends nags, in one owner's book. */
export interface NagFixture extends NodeFixture {
  /** Its owner's, as every controller reads it from now on. */
  profile: Profile;
  /** What it was before, as long as who plans remembers that. */
  remembered?: Profile;
  /** What plans waits for these: before it looks, and before it settles. */
  gates: { look?: Promise<void>; settle?: Promise<void> };
  /** What the channel answers, and what it was given. */
  answer: (message: Message) => Sent | Promise<Sent>;
  readonly sent: (Message & { readonly sentAt: number })[];
  /** Starts what plans, under a holder's name. */
  plans(holder?: string): Promise<Service>;
  /** Starts what says. */
  says(): Promise<Service>;
  put(asked?: Partial<NagRequest>, making?: Partial<NagOwner>): Promise<string>;
  page(pageId: string, title: string, body?: string): Promise<LedgerRecord<PageKind>>;
  nag(id: string): Promise<Nag>;
  /** What was made to say it, the oldest first. */
  sayings(id: string): Promise<readonly Notification[]>;
  change(id: string, change: (record: Nag) => NagChange): Promise<void>;
  /** So much time passes, whether anything happens in it or not. */
  pass(ms: number): Promise<void>;
}

export const owner = "mina";
const delivered: Sent = { result: "delivered", receipt: { messages: ["m1", "m2"] } };

export function nagFixture(): NagFixture {
  const at = nodeFixture();
  const book = at.ledger.of(owner, owner);
  const options = { ...at.options, pollMs: 86_400_000 };
  const profile = (): Promise<Profile> => Promise.resolve(made.profile);
  const lookAt = async (): Promise<Profile> => {
    await made.gates.look;
    return made.remembered ?? made.profile;
  };
  const work: typeof at.ports.work = {
    ...at.ports.work,
    async settle(units) {
      await made.gates.settle;
      return at.ports.work.settle(units);
    },
  };
  const ports = { ...at.ports, work };
  const channel: Channel = {
    name: "fake",
    async send(message) {
      made.sent.push({ ...message, sentAt: at.kernel.now() });
      return made.answer(message);
    },
  };
  const started = async (running: Service): Promise<Service> => {
    await running.start();
    return running;
  };
  const made: NagFixture = Object.assign(at, {
    profile: plainProfile,
    gates: {},
    answer: () => delivered,
    sent: [],
    plans: (holder = "n1") =>
      started(
        runController(
          nagController({ ledger: at.ledger, profile: lookAt, profileNow: profile }),
          ports,
          {
            ...options,
            holder,
          },
        ),
      ),
    says: () =>
      started(runController(deliverer({ ...at, channels: [channel], profile }), at.ports, options)),
    async put(asked: Partial<NagRequest> = {}, making: Partial<NagOwner> = {}) {
      const body = { ...usual(at.kernel.now()), ...asked };
      return (await book.append(makeNag(body, { owner, quiet: null, ...making }))).id;
    },
    async page(pageId: string, title: string, body = "") {
      const { record } = await book.append(makePage(owner, { pageId, title, body }));
      return asKind(pageKind, record ?? undefined);
    },
    nag: async (id: string) => asKind(nagKind, await book.get(id)),
    async sayings(parent: string) {
      const { records } = await book.list({ kind: notificationKind, parent, limit: 500 });
      return records;
    },
    async change(id: string, change: (record: Nag) => NagChange) {
      const { edit, consequences } = change(await made.nag(id));
      await book.edit(edit, consequences);
    },
    async pass(ms: number) {
      at.kernel.after(ms, "time passes", () => undefined);
      await at.kernel.runUntil(at.kernel.now() + ms);
    },
  } satisfies Omit<NagFixture, keyof NodeFixture> & Pick<NodeFixture, "pass">);
  return made;
}

function usual(at: number): NagRequest {
  return {
    about: { text: "pay rent" },
    curveName: "otu",
    curve: builtInCurves.otu,
    target: "fake:mina",
    origin: null,
    at,
    atText: "now",
  };
}

function asKind<K extends Shape>(kind: Kind<K>, record: AnyRecord | undefined): LedgerRecord<K> {
  if (!is(kind, record)) throw new Error(`There is no ${kind.name}.`);
  return record;
}
