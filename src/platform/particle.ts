/** In two forms: after a consonant, and after a vowel. */
const particles = [
  "을/를",
  "이/가",
  "은/는",
  "과/와",
  "으로/로",
  "이나/나",
  "이라면/라면",
] as const;
export type Particle = (typeof particles)[number];

export function isParticle(text: string): text is Particle {
  return particles.some((each) => each === text);
}

type Sound = "vowel" | "consonant" | "ㄹ";

/**
 * A value with the particle that its last syllable takes: 보고 is followed by 를, 'backup' by 을 and 3 by 을. A value
 * in a script that we cannot read aloud is followed by both forms: 'デイ'을(를).
 */
export function withParticle(value: string, particle: Particle): string {
  const [afterConsonant = "", afterVowel = ""] = particle.split("/");
  const sound = lastSound(value);
  if (sound === undefined) return `${value}${bothForms(afterConsonant, afterVowel)}`;
  const isVowel = sound === "vowel" || (sound === "ㄹ" && particle === "으로/로");
  return `${value}${isVowel ? afterVowel : afterConsonant}`;
}

/** 을(를), (으)로, 이(가). */
function bothForms(afterConsonant: string, afterVowel: string): string {
  return afterConsonant.endsWith(afterVowel)
    ? `(${afterConsonant.slice(0, -afterVowel.length)})${afterVowel}`
    : `${afterConsonant}(${afterVowel})`;
}

/** How the last letter or digit is read. Quotes, brackets and signs after it are silent. */
function lastSound(value: string): Sound | undefined {
  const [last] = /[\p{L}\p{N}](?=[^\p{L}\p{N}]*$)/u.exec(value.normalize("NFC")) ?? [];
  if (last === undefined) return undefined;
  if (/[가-힣]/.test(last)) return hangulSound(last);
  if (/[0-9]/.test(last)) return digits[Number(last)];
  const [word] = /[a-z]+(?=[^\p{L}\p{N}]*$)/iu.exec(value) ?? [];
  return word === undefined ? undefined : latinSound(word);
}

function hangulSound(syllable: string): Sound {
  const final = (syllable.charCodeAt(0) - 0xac00) % 28;
  return final === 0 ? "vowel" : final === 8 ? "ㄹ" : "consonant";
}

/** 영 일 이 삼 사 오 육 칠 팔 구; 십, 백, 천 and 만 end in consonants too. */
const digits: readonly Sound[] = [
  "consonant",
  "ㄹ",
  "vowel",
  "consonant",
  "vowel",
  "vowel",
  "consonant",
  "ㄹ",
  "ㄹ",
  "vowel",
];

const abbreviationCharsMax = 4;

/** As the word is written in Korean: report is 리포트, backup 백업. An abbreviation is read letter by letter. */
function latinSound(word: string): Sound {
  const isShort = word.length <= abbreviationCharsMax;
  const isSpelledOut = (isShort && word === word.toUpperCase()) || !/[aeiouy]/i.test(word);
  if (isSpelledOut) return letterSound(word.slice(-1).toUpperCase());
  const typed = word.toLowerCase();
  // The last e is silent: done is 던, file 파일, name 네임. A consonant that it follows otherwise gets a vowel: node is 노드.
  const stem = /[^aeiou]e$/.test(typed) && typed.length > 2 ? typed.slice(0, -1) : typed;
  if (stem.endsWith("l")) return "ㄹ";
  if (/(?:[mn]|ng)$/.test(stem)) return "consonant";
  if (stem !== typed) return "vowel";
  // After one short vowel the sound closes the syllable: robot is 로봇, slack 슬랙, topic 토픽, web 웹; but root is 루트.
  return /(?:^|[^aeiou])[aeiouy](?:p|t|k|ck|c|b)$|ook$/.test(stem) ? "consonant" : "vowel";
}

/** 엘 and 알 end in ㄹ, 엠 and 엔 in consonants, all others in vowels. */
function letterSound(letter: string): Sound {
  if (letter === "L" || letter === "R") return "ㄹ";
  return letter === "M" || letter === "N" ? "consonant" : "vowel";
}
