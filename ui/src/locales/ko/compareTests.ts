import type { Messages } from '..';

/** How many pairs differ, and how many cannot be compared. */
function summary(tested: string, untold: string, holm: string, refused: string): string {
  const without = (count: string) =>
    count === '0' ? '모두 유의한 차이가 있습니다' : `${count}쌍에 유의한 차이가 없습니다`;
  const compared =
    tested === '0'
      ? '검정한 쌍이 없습니다.'
      : `검정한 ${tested}쌍: ${without(untold)}(유의수준 0.05). 모든 쌍에 Holm 보정을 적용하면 ${without(holm)}.`;
  return refused === '0' ? compared : `${compared} 비교할 수 없는 쌍은 ${refused}개입니다.`;
}

export const compareTests: Messages['compareTests'] = {
  conclusions: {
    title: '결론',
    baseline: '기준',
    sides: {
      better: '기준보다 나음',
      worse: '기준보다 못함',
      alike: '유의한 차이 없음',
      untested: '검정하지 않음',
    },
    points: (difference: string) => `${difference}점`,
    figure: (figure: string, tasks: string) => `${figure}, 공통 과제 ${tasks}개, 95 % 신뢰구간. 100점이 점수 1입니다.`,
    cost: (times: string) => `비용 ${times}배`,
    free: '비용 없음',
    costName: '비용',
    costOf: (first: string, second: string) => `실행 비용: ${first} → ${second}`,
    time: (more: string) => `시간 ${more}`,
    timeTimes: (times: string) => `시간 ${times}배`,
    timeName: '시간',
    timeOf: (first: string, second: string) => `과제당 시간(초): ${first} → ${second}`,
    margin: (tasks: string) => `5점 차이를 가리려면 과제가 약 ${tasks}개 더 필요합니다.`,
    enough: '5점 차이를 가리기에 충분한 과제 수입니다.',
    marginHint:
      '실제로 5점 차이가 있을 때 비교 10번 중 8번 찾아내는 데 필요한 과제 수입니다(검정력 0.8, 유의수준 0.05).',
    p: (p: string) => `p값 ${p}`,
    holm: (p: string, tests: string) => `검정 ${tests}개의 Holm p값 ${p}`,
    inWords: '문장으로',
    note: '메모…',
    tests: '검정 보기',
    why: '완전히 비교할 수 없는 이유',
    more: (number: string) => `나머지 ${number}쌍`,
    together: (number: string) =>
      `이 화면의 Holm 보정은 기준과의 ${number}쌍에서 같은 종류의 값(모든 지표, 모든 레벨 점수) 전체에 적용합니다. 종합 점수는 계산 방식마다 따로 보정합니다.`,
    by: (first: string, second: string) => `보고서 ${first}, ${second} 기준입니다.`,
  },
  title: '두 보고서의 유의성 검정',
  first: '첫째',
  second: '둘째',
  swap: '바꾸기',
  scorer: '채점 규칙',
  scorers: { leaderboard: '리더보드 채점', corrected: '수정 규칙 채점' },
  direction: (first: string, second: string) =>
    `차이 = ${second} − ${first}. 선의 오른쪽이면 둘째 보고서가 더 높습니다.`,
  tasks: (number: string, leftOut: string) =>
    `두 보고서에 모두 있는 과제 ${number}개를 비교합니다. 한쪽에만 있는 과제 ${leftOut}개는 제외했습니다.`,
  drawn: (draws: string, seed: string) => `재표본 ${draws}회, 시드 ${seed}`,
  refused: '검정하지 않습니다. 두 보고서는 서로 다른 것을 측정합니다.',
  limited: '다음 사항에 유의해 해석하세요.',
  families: {
    metrics: '지표',
    levels: '레벨 점수',
    composites: '종합 점수',
    common: '레벨별 공통 지표',
  },
  correction: (number: string, isVariant: boolean) =>
    `검정 ${number}개에 Holm 보정 적용: 이 화면의 모든 쌍에서 ${isVariant ? '같은 계산 방식의 종합 점수' : '같은 종류의 값'}`,
  pValues: (p: string, holm: string, tests: string) => `p값 ${p}, 검정 ${tests}개의 Holm p값 ${holm}`,
  brief: ([first, firsts]: [string, string], [second, seconds]: [string, string], alike: string, untested: string) =>
    `◀ ${first} 우세 ${firsts} · ▶ ${second} 우세 ${seconds} · ＝ 유의한 차이 없음 ${alike}${untested === '0' ? '' : ` · 검정하지 않음 ${untested}`}`,
  columns: {
    figure: '항목',
    tasks: '과제',
    picture: '차이의 95 % 신뢰구간',
    difference: '차이',
    p: 'p값',
    holm: 'Holm p값',
    effect: '효과 크기',
    wins: '승 · 패',
    verdict: '결론',
  },
  explained: {
    tasks: '두 보고서에 모두 점수가 있는 과제 수입니다. 이 과제들만 하나씩 짝지어 비교합니다.',
    difference: '두 보고서에 모두 있는 과제에서 둘째의 값에서 첫째의 값을 뺀 값입니다.',
    picture:
      '95 % 신뢰구간: 레벨 안에서 과제를 복원 추출하고(한 과제의 지표는 함께), 그 차이들의 가운데 95 %를 구간으로 합니다.',
    p: '두 모델이 같다고 할 때 이만큼 큰 차이가 나올 확률입니다. 예/아니요 지표는 한쪽만 해결한 과제로 McNemar 정확 검정을 합니다. 나머지는 과제별 차이의 부호를 뒤집는 검정입니다. 차이가 있는 과제가 24개까지면 모든 경우를, 더 많으면 무작위로 뽑은 경우를 셉니다.',
    holm: '검정이 많으면 일부는 우연히 유의해 보이므로, 이 화면의 모든 쌍에서 같은 종류의 검정 전체에 Holm 보정을 적용한 p값입니다. 0.05보다 작으면 유의한 차이입니다.',
    effect:
      '예/아니요 지표는 Cohen의 g(한쪽만 해결한 과제 중 둘째의 비율 − 0.5)입니다. 0.05 작음, 0.15 중간, 0.25 큼. 나머지는 차이의 평균을 과제별 차이의 표준편차로 나눈 값입니다. 0.2 작음, 0.5 중간, 0.8 큼.',
    wins: '둘째가 더 잘한 과제 수와 첫째가 더 잘한 과제 수입니다.',
    verdict:
      'Holm p값에 따른 결론입니다. 필요한 과제 수는 관측된 차이가 실제 차이일 때 같은 비교 10번 중 8번 찾아내는 데(검정력 0.8, 유의수준 0.05, 보정 전) 같은 종류의 과제가 얼마나 더 필요한지입니다.',
  },
  tests: {
    mcnemar: 'McNemar 정확 검정',
    flips_all: '부호 뒤집기 검정, 모든 경우',
    flips_drawn: '부호 뒤집기 검정, 무작위',
  },
  better: (model: string) => `${model} 우세`,
  alike: '유의한 차이 없음',
  alikeByHolm: 'Holm 보정 후 유의한 차이 없음',
  aloneIntervals: '구간과 p값은 이 차이 하나에 대한 것이고, 결론은 Holm p값을 따릅니다.',
  untested: '검정하지 않음',
  needs: (tasks: string, times: string) => `과제 약 ${tasks}개 추가 또는 과제당 ${times}배 이상의 시도가 필요합니다`,
  needsExplained:
    '관측된 차이가 실제 차이일 때의 값입니다. 검정력 0.8, 유의수준 0.05(보정 전). 시도 횟수는 모든 분산이 과제 안의 우연에서 왔다고 볼 때의 하한입니다.',
  how: '계산 방법',
  fold: '검정과 계산 방법',
  foldHint: '모든 값의 p값과, 각 p값을 함께 보정한 검정들',
  ofFamily: (holm: string, family: string, tests: string) => `${holm} (${family}: 검정 ${tests}개)`,
  effects: {
    title: (figures: string, first: string) => `${figures}: ${first} 기준 차이(점)`,
    titleOf: (second: string, first: string) => `${second} − ${first}(점)`,
    points: '점수 차이 [95 % 신뢰구간]',
    over: (tests: string) => `검정 ${tests}개에 Holm 보정 적용`,
    tests: (tests: string) => `검정 ${tests}개`,
    alone: 'Holm 보정 후의 p값과 함께 보정한 검정 수입니다',
    explained:
      '0의 왼쪽은 기준이 더 나은 쪽입니다. 채운 사각형은 보정 후에도 유의한 차이입니다. 각 신뢰구간은 그 차이 하나에 대한 것입니다.',
  },
  ranks: {
    title: '순위 불확실성',
    by: '순위 기준',
    success_rate: '성공률(SR)',
    rangeExplained: (tasks: string) =>
      `모든 보고서에 있고 이 점수에 들어가는 과제 ${tasks}개를 레벨 안에서 10,000번 다시 뽑아(모두 같은 과제로) 매번 순위를 매깁니다. 한 보고서의 순위 중 95 %가 이 구간에 있습니다.`,
    first: '1위 확률',
    firstExplained: '다시 뽑은 표본 중 더 나은 보고서가 없었던 비율입니다.',
    verdict: '1위 대비',
    verdictExplained: '같은 과제에서 1위와 짝지어 검정하고, 이 검정들에 Holm 보정을 적용합니다.',
    judges: 'Judge 민감도',
    best: '1위',
    withBest: '1위와 유의한 차이 없음',
    below: '1위보다 낮음',
    picture: (low: string, high: string) => `${low}위 ~ ${high}위`,
  },
  matrix: {
    title: '모든 쌍',
    open: '모든 보고서 쌍',
    back: '선택한 보고서 비교',
    explained:
      '같은 과제에서 보고서를 둘씩 McNemar 정확 검정으로 비교합니다. 비율이 높은 보고서부터 표시합니다. 칸은 행을 열과 비교한 결과이며, 누르면 두 보고서의 검정으로 이동합니다.',
    summary: (tested: string, untold: string, holm: string, refused: string) => summary(tested, untold, holm, refused),
    none: '이 기준으로 비교할 수 있는 보고서가 두 개 미만입니다.',
    leftOut: (number: string) => `이 기준의 데이터가 없는 보고서 ${number}개`,
    limited: '기울임꼴은 부분 비교만 가능합니다.',
    share: '해결 비율',
    unranked: (own: string, others: string) =>
      `과제 ${own}개에 대한 비율이라, 과제가 ${others}개인 보고서와 함께 순위를 매기지 않습니다.`,
    window: (from: string, to: string, all: string) => `${all}개 중 ${from}–${to}`,
    rows: '행',
    marks: {
      best: 'Holm 보정 후에도 우세',
      better: '단독 검정에서 우세(p < 0.05)',
      alike: '유의한 차이 없음',
      worse: '단독 검정에서 열세(p < 0.05)',
      worst: 'Holm 보정 후에도 열세',
      refused: '비교 불가',
      none: '공통 과제 없음',
    },
    cell: (row: string, column: string, said: string) => `${row}, ${column} 대비: ${said}`,
    counts: (row: string, column: string) => `행만 해결한 과제 ${row}개, 열만 해결한 과제 ${column}개`,
  },
};
