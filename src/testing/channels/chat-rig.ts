import type { Peer } from "../chats/peer.ts";
import { busyMs, type Rig } from "./rig.ts";

/** A fake chat service on this machine. */
interface ChatPeer extends Peer {
  readonly token: string;
  readonly messages: readonly { readonly text: string; readonly buttons: readonly unknown[] }[];
  busy(times: number, seconds: number): void;
}

type Common = Pick<Rig, "secret" | "sentCount" | "hang" | "faults" | "seen" | "marked"> & {
  readonly fails: Pick<NonNullable<Rig["fails"]>, "busy" | "lost">;
};

/** The part of a rig that all chat services share. */
export function chatRig(peer: ChatPeer): Required<Common> {
  const skip = (count: number) => Array.from({ length: count }, () => "accept" as const);
  return {
    secret: peer.token,
    sentCount: () => peer.calls.length,
    hang() {
      peer.always("hang");
      return peer.called(() => true);
    },
    faults: {
      "repeats the token": () => peer.always({ status: 400, body: `bad: ${peer.token}` }),
      "is down and repeats the token": () => peer.always({ status: 503, body: peer.token }),
      "is a different service": () => peer.always({ status: 200, body: "<html>" }),
      "refuses the connection": () => peer.close(),
      "cuts the connection": () => peer.always("down"),
    },
    seen: () => peer.messages.map(({ text }) => text),
    marked() {
      const { text = "", buttons = [] } = peer.messages.at(-1) ?? {};
      return { text, buttons: buttons.length };
    },
    fails: {
      busy(count) {
        peer.next(...skip(count));
        peer.busy(1, busyMs / 1_000);
      },
      lost: (count) => peer.next(...skip(count), "lose"),
    },
  };
}
