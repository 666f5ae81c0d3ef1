// 리더보드 관리자에게 결과를 제출하는 화면.
import type { Messages } from '..';

const SAVE_AGAIN = '제출물을 다시 저장하세요.';

export const submit: Messages['submit'] = {
  open: '제출…',
  title: (model) => `${model} 리더보드 제출`,
  back: '보고서로 돌아가기',
  steps: { what: '대상', names: '이름', check: '점검', save: '저장' },
  stepsLabel: '제출 단계',
  previous: '이전',
  what: {
    intro:
      '통합 표의 행, 실행이 남긴 그대로의 보고서와 로그, 풀 리퀘스트 본문을 준비합니다. 어디로도 전송하지 않습니다.',
    standing: '미해결 문제',
    clean: '예상되는 이의가 없습니다.',
    counted: (blocks, asked) => `제출을 막는 문제 ${blocks}개, 관리자가 물어볼 점 ${asked}개`,
  },
  names: {
    intro: '리더보드에 표시할 이름과 연락처입니다. 다음에 쓰도록 저장됩니다.',
    vendor: '개발사',
    types: { API: '비공개(API)', OSS: '공개(OSS)' },
    noType: '지정하지 않음',
    licence: '가중치 라이선스',
    repo: '허브 저장소(소유자/이름)',
    by: '제출자',
    contact: '연락처',
    source: '대화 기록 URL',
    notes: '방법 설명',
    reset: '제안된 이름 사용',
    row: '리더보드에 실릴 행',
    column: '열',
    empty: '값 없음',
    saving: '저장하는 중…',
    kept: '저장됨',
  },
  check: {
    clean: '이의가 없습니다. 레벨, 과제, 도구 설명, 프롬프트, 캐시, Judge, 로그, 점수가 모두 리더보드와 같습니다.',
    severity: { error: '제출 불가', warning: '관리자가 물어볼 점' },
    /** What to do, as in `comparability.fixes`, about what only a submission has. */
    fixes: {
      missing_name: '이름 단계에서 입력하세요.',
      edited_report: '실행을 다시 채점하세요.',
      changed_file: SAVE_AGAIN,
      missing_file: SAVE_AGAIN,
      edited_row: SAVE_AGAIN,
      edited_facts: SAVE_AGAIN,
    },
    toNames: '이름으로 가기',
    toRun: '실행으로 가기',
    toMisses: '캐시 미스로 가기',
    toPacks: '팩으로 가기',
    again: '다시 점검',
  },
  save: {
    intro:
      '번들은 스스로 검증되는 파일 하나입니다. 행, 보고서, 로그와 수치를 다시 계산할 데이터가 들어 있습니다. 폴더는 공개 저장소와 같은 구조라 작업 사본에 복사할 수 있습니다.',
    bundle: '번들(.koab)로 저장…',
    bundleHint: '다시 계산해 확인한 뒤 저장하며, 누구나 오프라인에서 검증할 수 있습니다',
    sign: '서명',
    signHint: '내 서명 키로 서명합니다',
    busy: '저장하는 중입니다. 번들은 먼저 다시 계산합니다…',
    folder: '폴더로 저장…',
    pick: '폴더를 저장할 위치',
    zip: 'ZIP 파일로 저장…',
    saved: (place) => `저장됨: ${place}`,
    blocked: (count) =>
      `제출을 막는 문제가 ${count}개 남아 있습니다. 파일은 그대로 저장되며 풀 리퀘스트 본문에 그 문제가 적힙니다.`,
    texts: '문서 언어',
    both: '영어와 한국어 요약',
    pullRequest: '풀 리퀘스트 본문',
    copyPullRequest: '풀 리퀘스트 본문 복사',
    readme: 'README 문서',
    evalResults: '모델의 Hugging Face 저장소에 올릴 결과',
    copyEvalResults: '결과 복사',
    size: '크기',
  },
  combine: {
    button: '통합 표…',
    title: (count) => `보고서 ${count}개의 통합 표`,
    body: '보고서마다 한 행이며 열은 공개된 표와 같습니다.',
    names: '이름',
    namings: {
      published: '공개된 스크립트와 같게',
      leaderboard: '리더보드의 짧은 이름',
      plain: '짧은 이름, 열 이름의 오타 수정',
    },
    order: '순서',
    orders: { folder: '폴더순', name: '모델순', success: '성공률순', given: '선택한 순서' },
    save: '저장…',
    saved: (place) => `저장됨: ${place}`,
  },
};
