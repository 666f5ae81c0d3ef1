import type { Messages } from '..';

export const compareAcross: Messages['compareAcross'] = {
  title: (packs: string) => `팩 ${packs}개에 걸친 비교, 성공률(SR) 기준`,
  weights: '통합 차이의 가중치',
  byItem: '과제마다 같은 비중',
  byPack: '팩마다 같은 비중',
  combined: '통합',
  part: '팩, 그룹',
  weight: '가중치',
  table: (first: string, second: string) => `${first}, ${second} 부분별 비교`,
  direction: (first: string, second: string) => `차이 = ${second} − ${first}. 선의 오른쪽이면 둘째 모델이 더 높습니다.`,
  intervals:
    '그룹: Tango 점수 구간. 팩과 통합: 그룹의 구간을 가중치로 더한 구간(Yan, Su). 모든 과제의 결과가 같아도 구간에는 과제 수에 따른 폭이 있습니다.',
  tests:
    '그룹: McNemar 정확 검정. 팩과 통합: 한쪽만 해결한 과제로 하는 같은 검정(가중치 적용). 점수가 예/아니요가 아니면 부호 뒤집기 검정입니다.',
  holm: (groups: string) => `그룹 ${groups}개와 아래 다른 모델 쌍의 그룹 전체에 Holm 보정을 적용한 p값입니다.`,
  together: (pairs: string, holm: string) => `모델 쌍 ${pairs}개에 대한 Holm p값 ${holm}에 따른 결론입니다.`,
  leftOut: (pack: string, reason: string) => `${pack} 제외: ${reason}`,
  power: (points: string) => `이 과제들로 찾아낼 수 있는 가장 작은 차이: ${points}`,
  powerTitle: '찾아낼 수 있는 가장 작은 차이',
  powerExplained: (power: string, alpha: string) =>
    `검정력 ${power}, 유의수준 ${alpha}, 양측. 두 모델 중 하나만 해결하는 과제가 많을수록 차이가 커야 찾아냅니다.`,
  discordance: '둘 중 하나만 해결하는 과제',
  seen: '관측값, 모든 쌍의 평균',
  never: (none: string) =>
    `${none}: 결과가 갈리는 과제가 그만큼 적은 두 모델의 차이는 이 과제 수로 찾아낼 수 없습니다.`,
  assumed: (share: string) => `가정: ${share}`,
};
