import type { Messages } from '..';

export const connection: Messages['connection'] = {
  lost: '“koab serve”가 응답하지 않습니다. 중지되었거나 연결이 끊어졌습니다.',
  trying: '다시 연결하는 중…',
  signedOut: '“koab serve”가 다시 시작되어 이 탭의 연결이 해제되었습니다.',
  onlyLinks: '브라우저에서는 웹 페이지만 열 수 있습니다. 경로를 복사하거나 프로그램 창에서 여세요.',
};
