import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { withParticle, type Particle } from "./particle.ts";

describe("a particle follows the last syllable:", () => {
  const table: [value: string, particle: Particle, text: string][] = [
    ["보고", "을/를", "보고를"],
    ["알림", "을/를", "알림을"],
    ["보고", "이/가", "보고가"],
    ["알림", "이/가", "알림이"],
    ["보고", "은/는", "보고는"],
    ["알림", "은/는", "알림은"],
    ["보고", "과/와", "보고와"],
    ["알림", "과/와", "알림과"],
    ["보고", "이나/나", "보고나"],
    ["알림", "이나/나", "알림이나"],
    ["오전 3시", "이라면/라면", "오전 3시라면"],
    ["오전", "이라면/라면", "오전이라면"],
    // After ㄹ it is 로.
    ["받은함", "으로/로", "받은함으로"],
    ["메일", "으로/로", "메일로"],
    ["보고", "으로/로", "보고로"],
    ["메일", "을/를", "메일을"],
    // Quotes, brackets and signs are silent.
    ["'보고'", "을/를", "'보고'를"],
    ['"알림 (밤)"', "이/가", '"알림 (밤)"이'],
    ["보고!", "은/는", "보고!는"],
    // Decomposed letters are the same.
    ["보고".normalize("NFD"), "을/를", `${"보고".normalize("NFD")}를`],
    // Digits as they are read: 영 일 이 삼 사 오 육 칠 팔 구, and 십.
    ["0", "이/가", "0이"],
    ["1", "으로/로", "1로"],
    ["2", "을/를", "2를"],
    ["3", "을/를", "3을"],
    ["4", "이/가", "4가"],
    ["5", "은/는", "5는"],
    ["6", "으로/로", "6으로"],
    ["7", "이/가", "7이"],
    ["8", "으로/로", "8로"],
    ["9", "과/와", "9와"],
    ["10", "으로/로", "10으로"],
    ["telegram:42", "으로/로", "telegram:42로"],
    // Words as they are written in Korean.
    ["backup", "을/를", "backup을"],
    ["report", "을/를", "report를"],
    ["deploy.done", "이/가", "deploy.done이"],
    ["'dev'", "은/는", "'dev'는"],
    ["node", "을/를", "node를"],
    ["file", "으로/로", "file로"],
    ["name", "은/는", "name은"],
    ["channel", "을/를", "channel을"],
    ["email", "으로/로", "email로"],
    ["team", "으로/로", "team으로"],
    ["stdout:daemon", "으로/로", "stdout:daemon으로"],
    ["morning", "이/가", "morning이"],
    ["robot", "이/가", "robot이"],
    ["root", "이/가", "root가"],
    ["slack", "으로/로", "slack으로"],
    ["webhook", "으로/로", "webhook으로"],
    ["topic", "을/를", "topic을"],
    ["task", "을/를", "task를"],
    ["server", "이/가", "server가"],
    ["queue", "은/는", "queue는"],
    ["at", "과/와", "at과"],
    ["mina", "이/가", "mina가"],
    // Abbreviations letter by letter: 유알엘, 에이치티엠엘, 피알, 디비.
    ["URL", "이/가", "URL이"],
    ["URL", "으로/로", "URL로"],
    ["HTTP", "으로/로", "HTTP로"],
    ["STANDBY", "으로/로", "STANDBY로"],
    ["RUNNING", "으로/로", "RUNNING으로"],
    ["ERROR", "으로/로", "ERROR로"],
    ["PENDING", "이/가", "PENDING이"],
    ["DM", "을/를", "DM을"],
    ["db", "을/를", "db를"],
    ["pr", "이/가", "pr이"],
    ["019a8d3e-7f8b", "을/를", "019a8d3e-7f8b를"],
    // Nobody knows how: both.
    ["デイ", "을/를", "デイ을(를)"],
    ["デイ", "으로/로", "デイ(으)로"],
    ["", "이/가", "이(가)"],
    ["✓", "은/는", "✓은(는)"],
  ];
  for (const [value, particle, text] of table) {
    test(`${JSON.stringify(value)} is ${text}`, () => {
      assert.equal(withParticle(value, particle), text);
    });
  }
});

test("a particle stands after the value, in one of its forms, whatever the value", () => {
  const particles = fc.constantFrom<Particle>("을/를", "이/가", "은/는", "과/와", "으로/로");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), particles, (value, particle) => {
      const text = withParticle(value, particle);
      assert.ok(text.startsWith(value));
      assert.match(
        text.slice(value.length),
        /^(?:[을를이가은는과와로]|으로|을\(를\)|이\(가\)|은\(는\)|과\(와\)|\(으\)로)$/,
      );
    }),
  );
});
