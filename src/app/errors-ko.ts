import type { Catalogue } from "../platform/sentences.ts";

export const ko: Catalogue = {
  "DAYBOOK_TOKEN is easy to guess: give it {min} characters or more.":
    "DAYBOOK_TOKEN은 추측하기 쉽습니다. {min}자 이상으로 정하세요.",
  "DAYBOOK_TOKEN was revoked or has expired: set another.":
    "DAYBOOK_TOKEN이 폐기되었거나 만료되었습니다. 다른 토큰을 설정하세요.",
  "A book in memory exists only in its daemon, and none runs: run daybook start.":
    "메모리 장부는 데몬 안에만 있는데 데몬이 실행되고 있지 않습니다. daybook start로 시작하세요.",
  "{path} cannot be written ({problem}): choose a folder that you may write to.":
    "쓸 수 없는 폴더입니다: {path} ({problem}). 쓸 수 있는 폴더를 고르세요.",
  "{path} cannot be read ({problem}): {advice}.": "읽을 수 없습니다: {path} ({problem}). {advice}.",
  "{path} cannot be read ({problem}): run this as its owner, or set DAYBOOK_SECRET_KEY.":
    "읽을 수 없습니다: {path} ({problem}). 소유자 계정으로 실행하거나 DAYBOOK_SECRET_KEY를 설정하세요.",
  "{path} was removed while it was made: try again.":
    "만드는 중에 파일이 지워졌습니다: {path}. 다시 시도하세요.",
  "{name} is not a key: give it {count} bytes in base64, as openssl rand -base64 {count} makes them.":
    "키가 아닙니다: {name}. openssl rand -base64 {count}로 만든 {count}바이트짜리 base64 값을 넣으세요.",
  "This secret was sealed with another key than {name}: put the old key back, or connect the calendar again. Nodes on several machines need the same DAYBOOK_SECRET_KEY.":
    "이 비밀 값은 {name} 키로 암호화한 것이 아닙니다. 예전 키를 되돌려 놓거나 캘린더를 다시 연결하세요. 여러 컴퓨터에서 실행하는 노드에는 같은 DAYBOOK_SECRET_KEY가 필요합니다.",
  "run this as its owner, or set DAYBOOK_HOME":
    "소유자 계정으로 실행하거나 DAYBOOK_HOME을 설정하세요",
  "A daemon already runs on {home}, at {url} (process {pid}): {advice}.":
    "{home}에서 이미 데몬이 실행 중입니다({url}, 프로세스 {pid}). {advice}.",
  "stop it first, or give this one another --home":
    "먼저 그 데몬을 멈추거나 --home으로 다른 폴더를 쓰세요",
  "{host} answered {status}.": "{host:이/가} {status:으로/로} 응답했습니다.",
  "More than {max} things happen before that: choose an earlier time.":
    "그때까지 예정된 일이 {max}건을 넘습니다. 더 이른 시각을 쓰세요.",
  "The end is before the start: swap the two times.":
    "끝이 시작보다 앞섭니다. 두 시각을 서로 바꾸세요.",
  "The span is longer than a year: choose a shorter one.": "기간이 1년을 넘습니다. 더 짧게 쓰세요.",
  "The end is more than ten years ahead: choose an earlier time.":
    "끝이 앞으로 10년을 넘습니다. 더 이른 시각을 쓰세요.",
  "A book in memory cannot be backed up: use sqlite:PATH.":
    "메모리 장부는 백업할 수 없습니다. sqlite:경로를 쓰세요.",
  "A book of files is backed up by copying its folder while no daemon runs.":
    "파일 장부는 데몬을 멈춘 뒤 폴더를 복사해 백업하세요.",
  "A book in a store of your own is backed up by that store.":
    "직접 만든 저장소의 장부는 그 저장소의 방법으로 백업하세요.",
  "A book in PostgreSQL is backed up with pg_dump.": "PostgreSQL 장부는 pg_dump로 백업하세요.",
  "There is no program {name}: use one of {names}, or add it under channels.exec.":
    "없는 프로그램입니다: {name}. 다음 중 하나를 쓰거나 channels.exec에 추가하세요: {names}.",
};
