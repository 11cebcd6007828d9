export const kinds: Readonly<Record<string, string>> = {
  notification: "알림",
  schedule: "예약",
  task: "작업",
  webhook: "웹훅",
  profile: "설정",
  token: "토큰",
  person: "사람",
  invite: "초대",
  nag: "재촉",
  page: "페이지",
  event: "이벤트",
  question: "질문",
  workspace: "작업 공간",
};

export const states: Readonly<Record<string, string>> = {
  pending: "대기 중",
  delivered: "전달됨",
  failed: "실패",
  cancelled: "취소됨",
  unconfirmed: "확인 안 됨",
  expired: "만료됨",
  forgotten: "삭제됨",
  active: "사용 중",
  kept: "유지 중",
  completed: "완료",
  done: "완료",
  deleted: "삭제됨",
  needs_human: "답 대기 중",
  skipped: "건너뜀",
  interrupted: "중단됨",
  missed: "놓침",
  paused: "일시 정지",
  disabled: "중지됨",
  dispatched: "처리 중",
  discarded: "처리 안 함",
  in_progress: "작업 중",
  sent: "보냄",
  open: "답 대기 중",
  answered: "답함",
  standby: "절전",
  running: "실행 중",
  "at work": "실행 중",
  error: "오류",
};

export function kindName(name: string): string {
  return kinds[name] ?? name;
}

export function state(name: string): string {
  return states[name] ?? name;
}
