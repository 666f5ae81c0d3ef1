import type { Messages } from '..';

export const content: Messages['content'] = {
  copy: { copied: '복사했습니다', failed: '복사하지 못했습니다.' },
  tree: {
    search: '검색',
    matches: (at, all) => `${all}개 중 ${at}번째`,
    manyMatches: (at, all) => `${all}개 이상 중 ${at}번째`,
    noMatch: '일치하는 항목 없음',
    next: '다음 일치',
    previous: '이전 일치',
    openAll: '모두 펼치기',
    closeAll: '모두 접기',
    copy: 'JSON으로 복사',
    entries: (count) => `항목 ${count}개`,
    characters: (count) => `${count}자`,
    showAll: '모두 보기',
    hint: '화살표 키로 이동하고 접고 펼칩니다. Ctrl+C로 값을 복사합니다.',
  },
  markdown: {
    rendered: '서식 적용',
    raw: '원문',
    view: '텍스트 보기 방식',
    image: (name) => `[이미지${name ? `: ${name}` : ''}]`,
    showAll: (count) => `${count}자 모두 보기`,
  },
};
