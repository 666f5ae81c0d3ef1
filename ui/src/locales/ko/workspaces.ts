import type { Messages } from '..';

export const workspaces: Messages['workspaces'] = {
  title: '최근 작업 공간',
  about: '작업 공간마다 창이 하나씩 열립니다. 이미 열려 있으면 그 창을 앞으로 가져옵니다.',
  opened: '마지막으로 연 시각',
  states: {
    here: '현재 창',
    there: '열 수 있음',
    empty: '삭제됨: 폴더에 작업 공간이 없습니다. 열면 빈 작업 공간이 새로 만들어지므로, 백업이 있으면 먼저 복원하세요.',
    missing: '폴더를 찾을 수 없습니다. 드라이브를 연결하거나 폴더를 원래 위치로 옮긴 뒤 열거나, 목록에서 제거하세요.',
  },
  openNew: '새 창에서 열기',
  openHere: '이 창에서 열기',
  busy: '이 창에서 작업이 진행 중이므로 새 창에서만 열 수 있습니다.',
  forgetNamed: (folder) => `${folder}: 목록에서 제거(폴더는 그대로 유지됨)`,
  other: '다른 폴더 열기…',
  otherTitle: '작업 공간 폴더 선택(새 작업 공간을 만들려면 빈 폴더)',
  action: (name) => `새 창에서 작업 공간 ${name} 열기`,
  actionOther: '다른 작업 공간 열기…',
  words: 'workspace recent window folder open 작업 공간 최근 새 창 열기',
};
