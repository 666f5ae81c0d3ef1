import type { Messages } from '..';

export const app: Messages['app'] = {
  name: 'Ko-AgentBench Desktop',
  skip: '내용으로 건너뛰기',
  navigation: '화면',
  waiting: '잠시만요…',
  screens: {
    runs: '실행',
    reports: '보고서',
    compare: '비교',
    tasks: '과제',
    models: '모델',
    scenarios: '시나리오',
    packs: '팩',
    settings: '설정',
  },
  workspace: '작업 공간',
  language: '언어',
  theme: '화면 모드',
  themes: { system: '시스템', light: '밝게', dark: '어둡게' },
  setup: '실행 설정과 기록',
  results: '결과',
  loading: '작업 공간을 여는 중…',
  retry: '다시 시도',
  dismiss: '닫기',
  outside: '이 페이지는 프로그램 창에서만 동작합니다. Ko-AgentBench Desktop을 실행해 주세요.',
  welcome: {
    title: '아직 실행한 기록이 없습니다',
    body: '왼쪽에서 팩과 모델을 고르고 필요한 레벨을 실행하세요. 기준선 모델은 키도 네트워크도 서버도 필요 없습니다.',
    earlier: '또는 목록에서 이전 실행을 여세요.',
  },
  close: {
    title: '실행이 진행 중입니다',
    body: '창을 닫으면 실행이 멈춥니다. 지금까지의 결과는 모두 보존됩니다.',
    stay: '계속 실행',
    leave: '멈추고 닫기',
  },
};
