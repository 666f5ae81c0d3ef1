import type { Messages } from '..';

export const start: Messages['start'] = {
  title: 'Ko-AgentBench Desktop에 오신 것을 환영합니다',
  steps: (at, all) => `${all}단계 중 ${at}단계`,
  place: {
    title: '데이터 폴더',
    about:
      '실행, 보고서, 캐시된 응답이 이 폴더에 저장됩니다. 직접 지정한 모델에 보내는 요청 외에는 아무것도 이 컴퓨터를 떠나지 않습니다.',
    later: (folder) => `다음에 시작할 때부터 ${folder} 폴더를 사용합니다.`,
    fixed: '프로그램을 시작할 때 폴더가 지정되었습니다.',
  },
  pack: {
    starter: (tasks) =>
      `시작 팩: 캐시된 응답이 있는 가상의 과제 ${tasks}개로 모든 기능을 시험해 볼 수 있습니다. 키도 네트워크도 필요 없습니다.`,
    import: '공개된 벤치마크(폴더 또는 압축 파일)',
    which: '첫 실행의 과제',
    used: (name) => `첫 실행의 과제: ${name}`,
  },
  model: {
    about: '서버 주소를 붙여 넣거나 제공자를 선택하고 키를 입력하세요. 모델 목록은 서버에서 가져옵니다.',
  },
  judge: {
    ready: '바로 쓸 수 있는 Judge',
    offline: '오프라인, 보정되지 않음: 먼저 사람의 답과 비교하세요',
    title: '평가 모델(Judge)과 첫 실행',
    later: '나중에 평가 모델(Judge)을 골라 채점할 수도 있습니다.',
    cost: '평가 모델(Judge)은 실행이 끝나면 호출됩니다. 선택은 저장되며 실행마다 바꿀 수 있습니다.',
  },
  noModel: '연결된 모델이 없습니다. 나중에 모델 화면에서 연결할 수 있습니다.',
  runAll: '전체 레벨 실행',
  runLevel: (level) => `${level} 실행`,
  runUnjudged: (level) => `Judge 없이 ${level} 실행`,
  back: '이전',
  run: '스모크 테스트 실행',
  runAbout:
    '측정이 아닌 스모크 테스트입니다. 베이스라인이 모든 과제의 정답 경로를 따라가며 1분이 걸리지 않습니다. Judge 평가가 없어 SR 등 Judge가 필요한 지표에는 값이 없습니다.',
  finish: '실행하지 않고 시작',
};
