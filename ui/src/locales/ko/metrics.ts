import type { Messages } from '..';
import type { MetricText } from '../en/metrics';

const METRICS: Record<string, MetricText> = {
  SR: {
    what: '성공률: Judge가 요청이 충족되었다고 판정한 비율입니다.',
    formula: '첫 Judge의 투표 중 과반이 찬성이면 1, 아니면 0입니다.',
  },
  EPR_CVR: { what: '유효한 도구 호출의 비율입니다.', formula: '유효한 호출 수 ÷ 과제의 전체 호출 수.' },
  'pass@k': { what: '답변으로 끝난 반복의 비율입니다.', formula: '답변이 있는 반복 수 ÷ 전체 반복 수.' },
  ToolAcc: { what: '첫 호출이 올바른 도구인지 봅니다.', formula: '처음 부른 도구가 정답 도구이면 1, 아니면 0입니다.' },
  ArgAcc: { what: '인자의 뜻이 정답 인자와 같은지 봅니다.', formula: 'Judge가 준 1~5점을 0~1로 옮긴 값입니다.' },
  CallEM: { what: '도구와 인자가 정확히 일치하는지 봅니다.', formula: '호출이 정답 호출과 같으면 1, 아니면 0입니다.' },
  RespOK: { what: '답변이 요구된 형식인지 봅니다.', formula: '답변이 응답 스키마에 맞으면 1, 아니면 0입니다.' },
  SelectAcc: { what: '선택한 도구가 올바른지 봅니다.', formula: '선택한 도구가 정답 도구이면 1, 아니면 0입니다.' },
  FSM: { what: '호출이 정답 경로를 그대로 따랐는지 봅니다.', formula: '도구 순서가 정답과 같으면 1, 아니면 0입니다.' },
  PSM: {
    what: '정답 경로 중 실제로 호출한 비율입니다.',
    formula: '호출된 정답 단계의 가중치 ÷ 모든 정답 단계의 가중치.',
  },
  ΔSteps_norm: {
    what: '필요한 최소 호출 수와 비교한 호출 수입니다.',
    formula: '1에서 최소 호출 수를 넘긴 비율을 뺀 값이며 0보다 작아지지 않습니다.',
  },
  ProvAcc: {
    what: '값을 올바른 결과에서 가져왔는지 봅니다.',
    formula: '올바른 앞 결과에서 온 인자 수 ÷ 그래야 하는 인자 수.',
  },
  Coverage: { what: '필요한 출처 중 응답한 비율입니다.', formula: '결과를 낸 필수 도구 수 ÷ 필수 도구 수.' },
  SourceEPR: {
    what: '출처별 유효 호출 비율의 평균입니다.',
    formula: '필수 도구마다 유효 호출 ÷ 호출을 구해 평균한 값입니다.',
  },
  AdaptiveRoutingScore: {
    what: '실패 뒤 얼마나 빨리 대체 도구를 시도했는지 봅니다.',
    formula: '1 ÷ (1 + 실패와 대체 호출 사이의 턴 수).',
  },
  FallbackSR: { what: '대체 호출 중 성공한 비율입니다.', formula: '성공한 대체 호출 수 ÷ 대체 호출 수.' },
  ReuseRate: { what: '앞선 결과를 재사용할 기회 중 활용한 비율입니다.', formula: '재사용한 결과 수 ÷ 재사용 기회 수.' },
  RedundantCallRate: { what: '중복 호출이 없는 정도입니다.', formula: '1 − 중복 호출 수 ÷ 재사용 기회 수.' },
  EffScore: {
    what: '요청이 충족되었을 때, 최소 호출 수를 실제 호출 수와 비교합니다.',
    formula: '최소 호출 수 ÷ 실제 호출 수이며 충족되지 않으면 0입니다.',
  },
  ContextRetention: {
    what: '여러 턴에 걸쳐 맥락을 유지했는지 Judge가 평가합니다.',
    formula: 'Judge 점수(1~5) 평균을 0~1로 옮긴 값입니다.',
  },
  RefRecall: {
    what: '앞서 나온 정보를 기억하는지 Judge가 평가합니다.',
    formula: 'Judge 점수(1~5) 평균을 0~1로 옮긴 값입니다.',
  },
  RRR: { what: '답변으로 끝난 과제의 비율입니다.', formula: '답변이 있는 과제 수 ÷ 전체 과제 수.' },
};

const DIFFERENCES: Record<string, { leaderboard: string; corrected: string }> = {
  'judged-question': {
    leaderboard: 'L6·L7에서도 첫 사용자 발화를 기준으로 답변을 판정합니다',
    corrected: '대화의 답변은 마지막 사용자 발화를 기준으로 판정합니다',
  },
  'golden-context': {
    leaderboard: 'Judge에게 알려진 도구 결과가 없다고 알립니다',
    corrected: '데이터셋이 지정한 결과의 핵심 필드를 Judge에게 보여 줍니다',
  },
  'level-of-file': {
    leaderboard: 'L5 과제는 대체 호출이 필요하다는 규칙이 과제 자체의 레벨을 읽는데, L5-016에는 레벨이 없습니다',
    corrected: '레벨은 파일의 레벨을 따릅니다',
  },
  'seeded-answer': {
    leaderboard: '모델이 답하지 않으면 데이터셋의 답변을 판정합니다',
    corrected: '미리 넣어 둔 답변은 답변으로 보지 않습니다',
  },
  'no-call': { leaderboard: '호출이 없는 과제는 0.0입니다', corrected: '호출이 없는 과제는 미채점입니다' },
  'injected-failure': {
    leaderboard: '주입된 오류도 유효하지 않은 호출로 셉니다',
    corrected: '오류가 주입된 도구의 실패한 호출은 빼고 셉니다',
  },
  'argument-defaults': {
    leaderboard: '기본값을 적은 인자와 생략한 인자를 다르게 봅니다',
    corrected: '양쪽 모두 arg_schema의 기본값을 채워 비교합니다',
  },
  'least-steps': {
    leaderboard: 'max(0, 1 − (호출 − m)/m)이고 m 미만이면 0.0이며, m은 minimum_steps입니다',
    corrected: 'min(1, m/호출)이고 호출이 없으면 0.0이며, m은 최소한 정답 호출 수입니다',
  },
  provenance: {
    leaderboard: '단계를 모델 턴으로 보고 이름을 결과의 최상위에서만 찾으며, 목록이면 오류가 납니다',
    corrected:
      '정답 단계의 도구로 호출을 찾고 값은 경로나 이름으로 어느 깊이에서든 찾으며, 데이터 흐름이 없으면 미채점입니다',
  },
  'results-that-count': {
    leaderboard: '객체는 items, places, total_count가 있을 때만 결과로 칩니다',
    corrected: '이 키가 없는 객체도 비어 있지 않으면 결과로 칩니다',
  },
  'no-injection': {
    leaderboard: '주입된 오류가 없으면 앞의 지표는 평균에서 빠지고 뒤의 지표는 0.0입니다',
    corrected: '주입된 오류가 없으면 둘 다 미채점입니다',
  },
  'reuse-formula': {
    leaderboard: '인정된 기회 ÷ 기회이며, 재사용한 호출이 평가 턴 안에서 한 번 있어야 합니다',
    corrected: '재사용 ÷ (재사용 + 중복)이며, 미리 넣은 결과도 호출한 것으로 보고, 둘 다 0이면 미채점입니다',
  },
  'seeded-repeats': {
    leaderboard: '평가 턴 안의 반복만 중복으로 보고 비율이 음수일 수 있습니다',
    corrected: '미리 넣은 호출의 반복도 중복으로 보고 비율은 0.0에서 멈춥니다',
  },
  'no-chance': {
    leaderboard: '재사용 기회가 없는 과제는 1.0과 0.0입니다',
    corrected: '재사용 기회가 없는 과제는 미채점입니다',
  },
  'answer-without-call': {
    leaderboard: '호출 없이 충족된 요청은 0.0입니다',
    corrected: '호출 없이 충족된 요청은 1.0입니다',
  },
  'least-calls': {
    leaderboard: '최소 호출 수를 정답 경로에서 셉니다',
    corrected: '데이터셋의 minimum_calls를 알면 그 값을 씁니다',
  },
  'failed-judge': {
    leaderboard: '실패한 Judge는 불성공 또는 1점으로 칩니다',
    corrected: '나머지 투표로 결정되지 않으면 과제는 미채점이고 레벨에는 평균이 없습니다',
  },
  'metric-error': {
    leaderboard: '지표가 오류를 내면 0.0으로 칩니다',
    corrected: '오류를 이유로 적고 미채점으로 둡니다',
  },
  'technical-failure': {
    leaderboard: '서버 장애나 시간 초과로 끝난 시도도 모델의 점수로 칩니다',
    corrected: '그런 시도는 오류를 이유로 적고 미채점으로 둡니다',
  },
  'not-recorded': { leaderboard: '캐시 미스는 유효하지 않은 호출입니다', corrected: '그런 호출은 빼고 셉니다' },
  'nothing-left': { leaderboard: '평균할 과제가 없으면 0.0입니다', corrected: '평균할 과제가 없으면 미채점입니다' },
  'empty-cells': { leaderboard: '요약 표에서 레벨에 없는 지표는 0.0000입니다', corrected: '그 칸은 비워 둡니다' },
};

const VARIANTS: Record<string, { name: string; counts: string }> = {
  flat_report: { name: '종합 점수', counts: '공개 보고서에 있는 지표만으로 계산합니다(ProvAcc와 ReuseRate 제외).' },
  flat_seed: {
    name: 'ProvAcc와 ReuseRate를 포함한 종합 점수',
    counts: '벤치마크 문서에 나온 모든 지표로 계산합니다.',
  },
  levelmean_report: {
    name: '레벨 평균의 종합 점수',
    counts: '종합 점수의 지표를 L1, L2, L3 안에서 먼저 평균합니다.',
  },
  levelmean_seed: {
    name: 'ProvAcc와 ReuseRate를 포함한 레벨 평균의 종합 점수',
    counts: '문서의 모든 지표를 L1, L2, L3 안에서 먼저 평균합니다.',
  },
  flat_common_report: {
    name: 'SR, EPR_CVR, pass@k를 포함한 종합 점수',
    counts: '종합 점수의 지표에 레벨마다 SR, EPR_CVR, pass@k를 더합니다.',
  },
  flat_common_seed: {
    name: 'SR, EPR_CVR, pass@k, ProvAcc, ReuseRate를 포함한 종합 점수',
    counts: '문서의 모든 지표에 레벨마다 SR, EPR_CVR, pass@k를 더합니다.',
  },
};

export const metrics: Messages['metrics'] = {
  label: (name) => (name === 'pass@k' ? 'pass@k (답변함)' : (VARIANTS[name]?.name ?? name)),
  counts: (variant) => VARIANTS[variant]?.counts ?? null,
  text: (name) => METRICS[name] ?? null,
  difference: (id) => DIFFERENCES[id] ?? null,
  glossary: {
    description:
      '각 지표가 무엇을 재고, 어떻게 계산하며, 어느 레벨에 있는지 설명합니다. 지표 이름을 누르거나 지표에 초점이나 포인터를 두고 I를 누르면 그 지표부터 보여 줍니다.',
    explain: (name) => `${name} 설명`,
    find: '지표 이름이나 설명의 단어',
    none: (text) => `“${text}”에 맞는 지표가 없습니다.`,
    formula: '계산식',
    allLevels: '전체',
    range: '범위',
    ranges: { share: '과제마다 0 또는 1, 평균은 0~1', unit: '0에서 1', open: '최대 1, 0보다 작을 수 있음' },
    judges: { yes: 'Judge가 판정', no: '로그만으로 계산', partly: '판정하는 지표가 있는 레벨에서만 Judge가 판정' },
    published: '공개 보고서',
    dropped: '2025년 12월 보고서에는 없음',
    score: {
      name: '레벨 점수',
      what: '레벨 전체를 얼마나 잘 수행했는지 봅니다.',
      formula: '레벨 고유 지표의 단순 평균이며, SR, EPR_CVR, pass@k, RRR은 넣지 않습니다.',
    },
    composite: {
      what: '벤치마크의 네 부분을 한 수로 나타냅니다. 값이 없는 부분이 하나라도 있으면 종합 점수도 없습니다. 다른 지표를 넣은 것은 그 지표를 이름에 적습니다.',
      formula:
        '0.40 × 기본(L1–L3) + 0.20 × 오류 처리(L5) + 0.25 × 효율(L6) + 0.15 × 맥락(L7). 각 부분은 그 지표들의 평균이며 L4는 넣지 않습니다.',
    },
  },
};
