import type { Messages } from '..';

export const adaptive: Messages['adaptive'] = {
  title: '적응형 실행',
  intro: '변별력이 높은 과제부터 실행해, 전체 과제를 실행했을 때의 값을 추정합니다.',
  start: '새 실행…',
  none: {
    title: '아직 적응형 실행이 없습니다',
    body: '새 실행의 범위에서 ‘적응형’을 선택하세요. 전체 과제 SR의 신뢰구간이 목표 폭에 들 때까지 변별력이 높은 과제부터 실행합니다.',
  },
  list: {
    estimate: '추정값',
    of: (asked, items) => `${items}개 중 ${asked}개`,
  },
  standings: { under: '진행 중', reached: '완료', stopped: '조기 종료', open: '미완료' },
  page: {
    back: '모든 적응형 실행',
    remove: '목록에서 삭제…',
    removeTitle: '이 적응형 실행을 목록에서 삭제할까요?',
    removeBody: '실행과 보고서는 남습니다.',
    far: (asked, expected) => `과제 약 ${expected}개 중 ${asked}개`,
    stopped: '조기 종료:',
    open: '끝나지 않았습니다. 다른 프로세스에서 실행 중이거나 중단된 상태입니다. 지금까지의 실행은 남습니다.',
    estimate: '추정값',
    nothing: '아직 채점된 과제가 없습니다.',
    soFar: '현재까지',
    never: '제출에는 쓰이지 않습니다. 골라낸 과제의 결과이므로 전체 실행의 점수가 아닙니다.',
    of: '추정 대상',
    whole: (items, pack) => `${pack}의 전체 과제 ${items}개를 실행한 결과`,
    from: (items, pack, asked, models) =>
      `${pack}의 전체 과제 ${items}개를 실행한 결과의 추정값입니다. 과제 ${asked}개와 다른 모델 ${models}개의 보고서로 구했습니다.`,
    wished: '목표 구간 반폭(%p)',
    expected: '예상 과제 수',
    models: '과제 난이도의 근거',
    tasks: '실행한 과제',
    solved: '성공',
    unsolved: '실패',
    runs: '포함된 실행',
    partOf: (model) => `${model} 적응형 실행의 일부`,
  },
};
