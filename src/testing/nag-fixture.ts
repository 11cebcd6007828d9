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
import { inZone } from "../time/zone.ts";
import { nodeFixture, type NodeFixture } from "./node-fixture.ts";

type Nag = LedgerRecord<NagKind>;
type Notification = LedgerRecord<NotificationKind>;

/** The controllers that send nags, over one owner's book in virtual time. */
export interface NagFixture extends NodeFixture {
  /** The owner's profile, as it is now. */
  profile: Profile;
  /** An older profile, which the nag controller has cached. */
  cachedProfile?: Profile;
  /** The nag controller waits for these before it reads a profile, and before it settles. */
  gates: { profile?: Promise<void>; settle?: Promise<void> };
  /** The channel's answer to a message. */
  answer: (message: Message) => Sent | Promise<Sent>;
  readonly sent: (Message & { readonly sentAt: number })[];
  startNagger(holder?: string): Promise<Service>;
  startDeliverer(): Promise<Service>;
  addNag(request?: Partial<NagRequest>, options?: Partial<NagOwner>): Promise<string>;
  addPage(pageId: string, title: string, body?: string): Promise<LedgerRecord<PageKind>>;
  nag(id: string): Promise<Nag>;
  /** The notifications of a nag, the oldest first. */
  notificationsOf(id: string): Promise<readonly Notification[]>;
  change(id: string, change: (record: Nag) => NagChange): Promise<void>;
  /** Lets time pass, whether anything happens in it or not. */
  pass(ms: number): Promise<void>;
}

export const owner = "mina";
const hourMs = 3_600_000;
const delivered: Sent = { result: "delivered", receipt: { messages: ["m1", "m2"] } };

export function nagFixture(): NagFixture {
  const at = nodeFixture();
  const book = at.ledger.of(owner, owner);
  const options = { ...at.options, pollMs: 86_400_000 };
  const profileNow = (): Promise<Profile> => Promise.resolve(fixture.profile);
  const profile = async (): Promise<Profile> => {
    await fixture.gates.profile;
    return fixture.cachedProfile ?? fixture.profile;
  };
  const work: typeof at.ports.work = {
    ...at.ports.work,
    async settle(units) {
      await fixture.gates.settle;
      return at.ports.work.settle(units);
    },
  };
  const ports = { ...at.ports, work };
  const channel: Channel = {
    name: "fake",
    async send(message) {
      fixture.sent.push({ ...message, sentAt: at.kernel.now() });
      return fixture.answer(message);
    },
  };
  const started = async (service: Service): Promise<Service> => {
    await service.start();
    return service;
  };
  const nagger = nagController({ ledger: at.ledger, profile, profileNow });
  const notifier = deliverer({ ...at, channels: [channel], profile: profileNow });
  const fixture: NagFixture = Object.assign(at, {
    profile: plainProfile,
    gates: {},
    answer: () => delivered,
    sent: [],
    startNagger: (holder = "n1") => started(runController(nagger, ports, { ...options, holder })),
    startDeliverer: () => started(runController(notifier, at.ports, options)),
    async addNag(request: Partial<NagRequest> = {}, nagOwner: Partial<NagOwner> = {}) {
      const body = { ...usual(at.kernel.now()), ...request };
      return (await book.append(makeNag(body, { owner, quiet: null, ...nagOwner }))).id;
    },
    async addPage(pageId: string, title: string, body = "") {
      const { record } = await book.append(makePage(owner, { pageId, title, body }));
      return asKind(pageKind, record ?? undefined);
    },
    nag: async (id: string) => asKind(nagKind, await book.get(id)),
    async notificationsOf(parent: string) {
      const { records } = await book.list({ kind: notificationKind, parent, limit: 500 });
      return records;
    },
    async change(id: string, change: (record: Nag) => NagChange) {
      const { edit, consequences } = change(await fixture.nag(id));
      await book.edit(edit, consequences);
    },
    async pass(ms: number) {
      at.kernel.after(ms, "time passes", () => undefined);
      await at.kernel.runUntil(at.kernel.now() + ms);
    },
  } satisfies Omit<NagFixture, keyof NodeFixture> & Pick<NodeFixture, "pass">);
  return fixture;
}

/** At ten in the morning in UTC. */
export async function morningFixture(): Promise<NagFixture> {
  const at = nagFixture();
  const { hour } = inZone(at.kernel.now(), "UTC");
  await at.pass(((34 - hour) % 24) * hourMs);
  return at;
}

/** At ten in the morning in UTC, with both controllers running. */
export async function runningFixture(): Promise<NagFixture> {
  const at = await morningFixture();
  await at.startNagger();
  await at.startDeliverer();
  return at;
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
