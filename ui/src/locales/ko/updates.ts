import type { Messages } from '..';
import { josa } from '../../shared/particle';

export const updates: Messages['updates'] = {
  title: '업데이트',
  question: '하루에 한 번 업데이트를 확인할까요?',
  about: (hosts) =>
    `${hosts}에서 최신 버전 번호만 읽습니다. 버튼을 누르기 전에는 아무것도 설치하지 않으며, 오프라인일 때는 요청을 보내지 않습니다.`,
  yes: '매일 확인',
  no: '확인 안 함',
  wanted: '창을 시작할 때 하루에 한 번 업데이트 확인',
  asked: (when) => `마지막 확인: ${when}`,
  never: '아직 확인하지 않음',
  newest: '최신 버전입니다.',
  found: (version) => josa`버전 ${version}을(를) 설치할 수 있습니다.`,
  install: (version) => `${version} 설치`,
  installing: '내려받아 설치하는 중…',
  installed: (version) => josa`버전 ${version}을(를) 설치했습니다. 창을 다시 시작하면 적용됩니다.`,
  busy: '작업이 진행 중입니다. Windows에서는 설치할 때 창이 닫힐 수 있으므로 작업이 끝난 뒤 설치하세요.',
};
