import type { Messages } from '..';
import { josa } from '../../shared/particle';

export const agents: Messages['agents'] = {
  title: '에이전트',
  intro:
    '내 모델로 과제를 푸는 다른 프로그램입니다. 도구 호출은 koab이 제공한 도구에서, 모델 호출은 koab의 게이트웨이에서 기록합니다.',
  native:
    '이미지가 있는 에이전트는 컨테이너 엔진이 격리할 수 있으면 컨테이너에서 실행되어 자기 폴더만 보고 네트워크에는 닿지 못합니다. 나머지는 이 컴퓨터에서 일반 프로그램처럼 격리 없이 실행됩니다.',
  contained: '컨테이너에서 실행되어 자기 폴더만 보고 네트워크에는 닿지 못합니다.',
  columns: {
    kind: '인터페이스',
    wire: 'API 형식',
    verified: '확인된 버전',
    install: '설치',
    check: '마지막 확인',
  },
  byHand: '직접 사용',
  neverChecked: '확인하지 않음',
  passed: '통과',
  failed: '실패',
  checkHint: '대본이 정해진 모델로 두 번 실행합니다. 키와 비용이 들지 않으며 최대 3분이 걸립니다.',
  result: {
    passed: (name) => `${name}: 호출이 도착하고 답을 읽을 수 있습니다.`,
    failed: (name) => josa`${name}이(가) 통과하지 못했습니다.`,
    startup: '첫 모델 호출까지',
    wire: '사용한 API',
    offered: '제공된 도구 이름',
    atOnce: '바로 제공',
    arrived: '호출 도착',
    answer: '답 그대로 전달',
    own: '자체 도구',
    outlived: '남은 프로세스',
    goesOn: '호출 실패 후 계속',
  },
  conduct: {
    title: '단계 외의 동작',
    own: '자체 도구 호출',
    unknown: '알 수 없음(자체 모델 사용)',
    unmade: '하지 않은 호출',
    changed: '인자를 바꾼 호출',
    byAgent: '모델이 요청하지 않은 호출',
    sideHint: '제목 생성처럼 단계에 속하지 않는 모델 호출입니다.',
    afterEnd: '끝난 뒤의 호출(거부됨)',
    outlived: '프로세스가 남은 시도',
    soFar: (hosts) => `${hosts} (이번 시도 또는 다른 시도)`,
    unread: '호스트, 늦은 호출, 남은 프로세스를 알 수 없는 시도(파일이 없거나 손상됨)',
    startup: '첫 호출까지',
  },
  ours: 'koab(기본)',
  file: '정의 파일…',
  ownModel: '자체 모델',
  ownModelHint: '에이전트가 koab 게이트웨이가 아니라 자체 키로 자체 모델을 사용합니다.',
  ownModelNote:
    '토큰, 시간, 비용을 알 수 없고, 겹치는 호출은 한 단계로 묶이며, koab 게이트웨이를 거친 실행과 비교할 수 없습니다. 위의 모델은 이름일 뿐입니다.',
  ownModelKeys: '키는 KOAB_AGENT_… 환경 변수에서 읽습니다.',
  protocol:
    '에이전트는 수정 규칙으로 실행합니다. 같은 에이전트의 이전 실행에서 나온 값이 아니면, 예상 실행량에는 에이전트 자체 프롬프트가 들어 있지 않습니다.',
  hand: {
    note: '사용하는 프로그램에 도구 주소와 프롬프트를 주고, 그 답변을 실행 화면에 붙여 넣습니다. 과제 하나와 반복 1회를 고르세요.',
    title: (task) => `${task}: 직접 진행할 차례`,
    steps:
      '프로그램에 이 주소를 MCP 서버(streamable HTTP)로 추가하고, 프롬프트를 그대로 물어본 뒤 답변을 붙여 넣으세요.',
    address: '도구 주소(이번 시도에만 유효)',
    copyAddress: '주소 복사',
    prompt: '프롬프트',
    copyPrompt: '프롬프트 복사',
    answer: '프로그램의 답변',
    give: '답변 제출',
    none: '답변이 없었음',
  },
  manage: '에이전트 확인 및 설치',
  run: (agent) => `에이전트: ${agent}`,
};
