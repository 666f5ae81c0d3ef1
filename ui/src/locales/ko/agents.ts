import type { Messages } from '..';

export const agents: Messages['agents'] = {
  title: '에이전트',
  intro:
    '내 모델로 과제를 푸는 다른 프로그램입니다. 도구 호출은 koab이 제공한 도구에서, 모델 호출은 koab의 게이트웨이에서 기록합니다.',
  native:
    '이미지가 있는 에이전트는 컨테이너 엔진이 격리할 수 있으면 컨테이너에서 실행되어 자기 폴더만 보고 네트워크에는 닿지 못합니다. 나머지는 이 컴퓨터에서 일반 프로그램처럼 격리 없이 실행됩니다.',
  contained: '컨테이너에서 실행되어 자기 폴더만 보고 네트워크에는 닿지 못합니다.',
  columns: {
    agent: '에이전트',
    kind: '인터페이스',
    wire: 'API 형식',
    verified: '확인된 버전',
    contained: '컨테이너에서',
    install: '설치',
    check: '마지막 확인',
  },
  command: '명령',
  neverChecked: '확인하지 않음',
  passed: '통과',
  failed: '실패',
  check: '확인',
  checking: '확인하는 중…',
  checkHint: '대본이 정해진 모델로 한 번 실행합니다. 키와 비용이 들지 않으며 최대 2분이 걸립니다.',
  result: {
    passed: (name) => `${name}: 호출이 도착하고 답을 읽을 수 있습니다.`,
    failed: (name) => `${name}이(가) 통과하지 못했습니다.`,
    version: '버전',
    contained: '컨테이너에서',
    startup: '첫 모델 호출까지',
    seconds: '전체 시간',
    wire: '사용한 API',
    offered: '제공된 도구 이름',
    atOnce: '바로 제공',
    arrived: '호출 도착',
    answer: '답 그대로 전달',
    side: '부수 호출',
    own: '자체 도구',
    hosts: '요청한 호스트(차단됨)',
    outlived: '남은 프로세스',
  },
  field: '에이전트',
  ours: 'koab(기본)',
  file: '정의 파일…',
  ownModel: '자체 모델',
  ownModelHint: '에이전트가 koab 게이트웨이가 아니라 자체 키로 자체 모델을 사용합니다.',
  ownModelNote:
    '토큰, 시간, 비용을 알 수 없고, 겹치는 호출은 한 단계로 묶이며, koab 게이트웨이를 거친 실행과 비교할 수 없습니다. 위의 모델은 이름일 뿐입니다. 키는 KOAB_AGENT_… 환경 변수에서 읽습니다.',
  protocol:
    '에이전트는 수정 규칙으로 실행합니다. 같은 에이전트의 이전 실행에서 나온 값이 아니면, 예상 실행량에는 에이전트 자체 프롬프트가 들어 있지 않습니다.',
  manage: '에이전트 확인 및 설치',
  run: (agent) => `에이전트: ${agent}`,
};
