import type { Messages } from '..';

export const trash: Messages['trash'] = {
  about: (days) =>
    `삭제한 실행, 보고서, 포크, 팩은 ${days}일 동안 남습니다. 더 오래된 것은 다음 삭제 때 완전히 지워집니다.`,
  list: '삭제한 실행, 보고서, 포크, 팩',
  none: '휴지통이 비어 있습니다.',
  kinds: { run: '실행', report: '보고서', fork: '포크', pack: '팩' },
  counted: {
    run: (count) => `실행 ${count}개`,
    report: (count) => `보고서 ${count}개`,
    fork: (count) => `포크 ${count}개`,
    pack: (count) => `팩 ${count}개`,
  },
  anyKind: '모든 종류',
  deleted: '삭제한 때',
  size: '크기',
  total: (size) => `모두 ${size}`,
  undated: '이전 버전에서 삭제해 때가 기록되지 않았습니다. 보관 기간은 다음 삭제 때부터 셉니다.',
  overdue: '보관 기간이 지났지만 지우지 못했습니다. 다음 삭제 때 다시 시도합니다.',
  restore: '되돌리기',
  restoreOf: (name) => `되돌리기: ${name}`,
  restored: (kind, name) => `되돌렸습니다: ${kind} ${name}`,
  remove: '완전히 삭제',
  removeOf: (name) => `완전히 삭제: ${name}`,
  removeTitle: (kind, name) => `완전히 삭제할까요? ${kind} ${name}`,
  forGood: '되돌릴 수 없습니다.',
  empty: '휴지통 비우기…',
  emptyTitle: (count, size) => `${count}개를 모두 완전히 삭제할까요? (${size})`,
  emptyConfirm: '휴지통 비우기',
  noticeLabel: '삭제함',
  moved: (kind, name) => `휴지통으로 옮겼습니다: ${kind} ${name}`,
  movedMany: (counts) => `휴지통으로 옮겼습니다: ${counts}`,
};
