import type { Messages } from '..';
import { josa } from '../../shared/particle';

export const settings: Messages['settings'] = {
  about: '작업 공간에 저장되므로 창, 브라우저, 명령줄이 같은 설정을 씁니다.',
  general: {
    reviewer: '검토자 이름',
    reviewerAbout: '판정을 수정할 때 쓰는 기본 이름입니다. 작업 공간에 저장됩니다.',
    title: '언어와 화면 모드',
    system: '시스템 설정',
    theme: '화면 모드',
    scenarios: '시나리오 항상 표시',
    scenariosAbout:
      '컨테이너 엔진이 응답하거나 작업 공간에 시나리오 결과가 있으면 사이드바에 자동으로 표시됩니다. 이 창에만 저장됩니다.',
  },
  workspace: {
    title: '작업 공간',
    origins: {
      asked: '시작할 때 지정됨',
      environment: 'KOAB_HOME으로 지정됨',
      chosen: '여기에서 선택함',
      system: '시스템의 응용 프로그램 데이터 폴더',
    },
    type: '다른 폴더의 전체 경로',
    reset: '시스템 폴더로 되돌리기',
    next: (folder) =>
      `다음에 시작할 때 ${folder} 폴더를 사용합니다. 현재 폴더의 데이터는 옮기지 않으므로 필요하면 복사하세요.`,
    fixed: '시작할 때 폴더가 지정되어 여기에서 선택한 폴더는 적용되지 않습니다.',
  },
  runs: {
    concurrency: '동시 실행 수(시도)',
    automatic: '자동',
    concurrencyAbout: '실행의 기본값입니다. 자동은 서버에 맞게 조절합니다.',
    judgesAbout: '새 실행의 기본 Judge입니다. 실행을 채점할 때 호출합니다.',
    costCap: '하루 예산 (USD)',
    tokenCap: '하루 토큰',
    capAbout: '이 작업 공간의 모든 실행과 프로세스에 적용됩니다. 초과하기 전에 실행이 멈춥니다.',
    spent: (usd, tokens) => `오늘 사용: ${usd}, 토큰 ${tokens}개.`,
    spentUnpriced: (tokens) => `오늘 사용: 토큰 ${tokens}개. 가격을 알 수 없는 모델입니다.`,
  },
  network: {
    title: '네트워크',
    proxy: '프록시',
    modes: { system: '환경 변수 사용', direct: '사용 안 함', address: '직접 지정' },
    address: '프록시 주소',
    variables: (names) => `환경 변수에 설정됨: ${names}`,
    noVariables: '환경 변수에 프록시가 없습니다.',
    proxyAbout: '모델에 보내는 요청에 적용됩니다. 이 컴퓨터의 서버에는 항상 직접 연결합니다.',
    telemetry: '사용 정보 수집',
    noTelemetry:
      '수집하지 않습니다. 직접 설정한 요청만 이 컴퓨터를 떠납니다: 지정한 모델과 Judge, 다운로드, 도구의 실제 API 호출, 수집기를 지정했을 때의 추적 데이터. 모두 아래 로그에 한 줄씩 남습니다.',
  },
  spans: {
    title: '실행 추적',
    collector: 'OpenTelemetry 수집기',
    off: '꺼짐',
    turnOff: '끄기',
    example:
      'OTLP/HTTP 주소입니다. 예: http://127.0.0.1:4318. 수집기에 키가 필요하면 환경 변수 OTEL_EXPORTER_OTLP_HEADERS에 넣으세요.',
    sent: '이 창이나 페이지에서 시작한 실행이 진행되는 대로 추적 데이터를 전송합니다: 모델·과제·도구의 이름, 시간, 토큰 수, 샘플링 설정, 호출 결과의 종류. 명령줄에서는 따로 설정합니다.',
    texts: '본문 포함',
    textsAbout: '프롬프트, 모델의 답변, 도구의 인자와 결과입니다. 끄면 이 컴퓨터에만 남습니다.',
    on: (address) => josa`켜짐: 추적 데이터를 본문 없이 ${address}(으)로 전송합니다.`,
    onWithTexts: (address) => josa`켜짐: 추적 데이터를 본문과 함께 ${address}(으)로 전송합니다.`,
  },
  prices: {
    about: '토큰 백만 개당 USD입니다. 직접 지정한 가격이 기본 목록보다 우선하며, 기본 목록은 최신이 아닐 수 있습니다.',
    table: '모델 가격',
    input: '입력',
    output: '출력',
    asOf: '기준일',
    own: '직접 지정',
    carried: '기본 목록',
    unconfirmed: '미확인',
    add: '가격 추가',
    modelHint: '제공자/모델, 끝에 * 가능',
    remove: (model) => `${model}에 직접 지정한 가격 삭제`,
    filter: '모델 검색',
    file: '가격 파일',
  },
  checks: {
    title: '점검',
    about: '실행에 필요한 것을 모두 확인합니다.',
    run: '점검 실행',
    ok: '정상',
    bad: '문제 있음',
  },
};
