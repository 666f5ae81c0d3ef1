import type { Messages } from '..';
import { josa } from '../../shared/particle';

export const parts: Messages['parts'] = {
  table: {
    shown: (shown, all) => `${all}개 중 ${shown}개`,
    all: (all) => `${all}행`,
    select: '선택',
    selectAll: '표시된 항목 모두 선택',
    stretch: 'Shift를 누르고 클릭하면 마지막으로 선택한 행부터 모두 선택합니다',
    none: '항목이 없습니다.',
    noMatch: '일치하는 항목이 없습니다.',
    keys: '화살표 키나 J, K로 행을 이동하고, Enter로 열고, 스페이스로 선택합니다.',
    resize: '끌어서 너비를 바꾸고, 두 번 누르면 되돌립니다',
    pin: '항상 표시',
    resetColumns: '너비와 고정 되돌리기',
    link: {
      action: (row) => `이 행의 주소 복사: ${row}`,
      key: 'Y로 행의 주소를 복사합니다.',
      outcome: { copied: (row) => `주소 복사됨: ${row}`, failed: (row) => `복사하지 못함: ${row}` },
    },
    ticked: (count) => `${count}개 선택`,
    hidden: (count) => `그중 ${count}개는 표시되지 않음`,
    untick: '선택 해제',
    copy: {
      action: '복사',
      hint: '이 표를 텍스트로 복사',
      kinds: { tsv: '스프레드시트용(TSV)', markdown: 'Markdown 표', latex: 'LaTeX 표(booktabs)' },
    },
  },
  chart: {
    asTable: '표로 보기',
    save: (kind) => josa`${kind}(으)로 저장`,
    saveName: (kind, label) => `${kind} 파일로 저장: “${label}”`,
    saved: (where) => `저장됨: ${where}`,
  },
  remark: {
    tagsHint: '쉼표로 구분',
    knownTags: '쓰고 있는 태그',
  },
};
