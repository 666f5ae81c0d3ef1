import type { Messages } from '..';

export const notice: Messages['notice'] = {
  attempts: (done, all) => `시도 ${all}회 중 ${done}회 완료`,
  figures: (sr, composite) => `SR ${sr} · 종합 점수 ${composite}`,
  notJudged: 'Judge 평가 없음: SR과 종합 점수를 계산하지 않았습니다',
  notScored: '채점하지 않음',
  scoringFailed: '채점하지 못했습니다. 이유는 창에서 확인하세요',
  reportUnread: '채점했으나 지금은 보고서를 읽을 수 없습니다',
  reason: '이유는 창에서 확인하세요',
};
