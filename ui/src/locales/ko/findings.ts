import type { Messages } from '..';

export const findings: Messages['findings'] = {
  weight: '심각도',
  kind: '종류',
  where: '위치',
  what: '내용',
  severity: { pass: '통과', note: '참고', warning: '경고', error: '오류' },
  line: (line) => `${line}번째 줄`,
  toLine: (line) => `${line}번째 줄 보기`,
};
