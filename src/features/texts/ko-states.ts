const states: Readonly<Record<string, string>> = {
  pending: "대기 중",
  delivered: "전달됨",
  failed: "실패",
  cancelled: "취소됨",
  unconfirmed: "확인 안 됨",
  expired: "기한 지남",
  forgotten: "지워짐",
  active: "사용 중",
  kept: "유지 중",
  completed: "완료",
  done: "완료",
  deleted: "삭제됨",
  needs_human: "답 기다리는 중",
  skipped: "건너뜀",
  interrupted: "중단됨",
  missed: "놓침",
  paused: "일시 정지",
  disabled: "중지됨",
  dispatched: "처리 중",
  in_progress: "작업 중",
  sent: "보냄",
  open: "답 기다리는 중",
  answered: "답함",
  standby: "잠듦",
  running: "실행 중",
  "at work": "실행 중",
  error: "오류",
};

export function state(name: string): string {
  return states[name] ?? name;
}
