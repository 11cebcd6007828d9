import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../platform/json.ts";
import { busyMs, type Rig, type Sender } from "./rig.ts";

/** What peers with visible messages receive, and how their failures are reported. */
export function arrivalCases(sender: Sender): void {
  failureCases(sender);
  injectionCases(sender);
  longCases(sender);
}

const notVisible = "this rig cannot show received messages";
const without = {
  busy: "this peer has no rate limit",
  lost: "this peer loses no answers",
  refused: "this peer rejects nothing",
} as const;
const inOne = "this channel sends no parts";

function failureCases(sender: Sender): void {
  void test("a rate-limited message is retried at the peer's time, and arrives once", async (t) => {
    const { rig, send } = await sender(t);
    if (rig.fails?.busy === undefined) return t.skip(without.busy);
    await rig.fails.busy(0);
    const sent = await send();
    assert.equal(sent.result, "retry", JSON.stringify(sent));
    assert.equal("afterMs" in sent ? sent.afterMs : undefined, busyMs);
    assert.equal((await send()).result, "delivered");
    if (rig.seen !== undefined) assert.equal(rig.seen().length, 1);
  });
  void test("a lost answer is unknown, and the message can be sent again", async (t) => {
    const { rig, send } = await sender(t);
    if (rig.fails?.lost === undefined) return t.skip(without.lost);
    await rig.fails.lost(0);
    const sent = await send();
    assert.equal(sent.result, "unknown", JSON.stringify(sent));
    if (rig.seen !== undefined) assert.equal(rig.seen().length, 1, "the message had arrived");
    assert.equal((await send({ maybeRepeat: true })).result, "delivered");
  });
  void test("a permanent refusal is rejected with a reason", async (t) => {
    const { rig, send } = await sender(t);
    if (rig.fails?.refused === undefined) return t.skip(without.refused);
    await rig.fails.refused();
    const sent = await send();
    assert.equal(sent.result, "rejected", JSON.stringify(sent));
    assert.match("reason" in sent ? sent.reason : "", /\p{L}{3}/u);
    if (rig.seen !== undefined) assert.deepEqual(rig.seen(), []);
  });
}

/** Literal texts: every channel shows them as they were typed. */
const literals: readonly string[] = [
  "<b>not bold</b> <i>",
  "</code></pre></b>",
  "&lt;b&gt; &amp;amp; &#60; &",
  "<!channel> <!here> <!date^1^{date}|x> <@U1> <#C1>",
  "@everyone @here <@1> <@&2>",
  '<a href="https://a.example/">x</a> <script>alert(1)</script>',
  "1 < 2 && 3 > 2, \"a\" and 'b'",
  String.raw`C:\new\table $(id) %s {{x}}`,
  "snake_case_name 2 * 3 * 4 ~ 5",
  "가나다 👨‍👩‍👧‍👦 e\u0301",
];

/** Markdown: each rig computes what its channel shows. */
const marked: readonly string[] = [
  "**bold _both_** ~~gone~~ `a < b`",
  "[label](https://a.example/?q=1&r=%22) [no](javascript:alert(1))",
  "```html\n<b>*x*</b> &lt;\n```",
  "# head\n\n- one\n- two\n\n> said <!channel>",
  "a *b* <b>*c*</b> _d_ ~e~ ||f|| __g__",
  String.raw`\*not\* \_it\_ \\ \x`,
  "evil \u202Egpj.exe",
];

function injectionCases(sender: Sender): void {
  for (const [what, texts] of Object.entries({ literals, marked })) {
    void test(`a text arrives unchanged: ${what}`, async (t) => {
      const { rig, send } = await sender(t);
      if (rig.seen === undefined) return t.skip(notVisible);
      for (const text of texts) {
        const before: number = rig.seen().length;
        const sent = await send({ text });
        assert.equal(sent.result, "delivered", JSON.stringify(sent));
        const meant = what === "literals" ? text : (rig.shows?.(text) ?? text);
        assert.equal(rig.seen().slice(before).join("\n").trim(), meant.trim());
      }
    });
  }
}

const long = Array.from({ length: 4_000 }, (_, at) => `${at}번`).join(" ");

function longCases(sender: Sender): void {
  void test("a long text arrives complete and in order", async (t) => {
    const { rig, send } = await sender(t);
    if (rig.seen === undefined) return t.skip(notVisible);
    const sent = await send({ text: long });
    assert.equal(sent.result, "delivered", JSON.stringify(sent));
    assertComplete(rig, rig.seen(), long);
  });
  for (const way of ["busy", "lost"] as const) {
    void test(`a long text resumes at the failed part: ${way}`, async (t) => {
      const { rig, send } = await sender(t);
      const fail = rig.fails?.[way];
      if (rig.seen === undefined) return t.skip(notVisible);
      if (fail === undefined) return t.skip(without[way]);
      const { progress, save } = progressKeeper();
      await fail(1);
      const first = await send({ text: long }, { save });
      if (first.result === "delivered") return t.skip(inOne);
      assert.equal(first.result, way === "busy" ? "retry" : "unknown", JSON.stringify(first));
      assert.equal(rig.seen().length, way === "busy" ? 1 : 2);
      const again = { text: long, maybeRepeat: way === "lost" };
      const second = await send(again, { progress: progress(), save });
      assert.equal(second.result, "delivered", JSON.stringify(second));
      // The part whose answer was lost may have arrived twice.
      const once = rig.seen().filter((text, at, all) => way === "busy" || text !== all[at - 1]);
      assertComplete(rig, once, long);
    });
  }
  void test("a long text edited between attempts starts again", async (t) => {
    const { rig, send } = await sender(t);
    if (rig.seen === undefined) return t.skip(notVisible);
    if (rig.fails?.busy === undefined) return t.skip(without.busy);
    const { progress, save } = progressKeeper();
    await rig.fails.busy(1);
    const first = await send({ text: long }, { save });
    if (first.result === "delivered") return t.skip(inOne);
    const before = rig.seen().length;
    const changed = `changed ${long}`;
    assert.equal(
      (await send({ text: changed }, { progress: progress(), save })).result,
      "delivered",
    );
    assertComplete(rig, rig.seen().slice(before), changed);
  });
}

/** Compares without the space at the cuts. */
function assertComplete(
  { shows = (text) => text }: Rig,
  seen: readonly string[],
  text: string,
): void {
  const solid = (from: string): string => from.replaceAll(/\s/g, "");
  assert.equal(solid(seen.join("")), solid(shows(text)));
}

/** Keeps the progress that was saved last. */
function progressKeeper(): { progress(): Json; save(progress: Json): Promise<void> } {
  let last: Json = null;
  return { progress: () => last, save: async (progress) => void (last = progress) };
}
