import type { Messages } from '..';

export const errors: Messages['errors'] = {
  title: { info: '알림', warning: '확인 필요', error: '오류' },
  next: {
    change: '입력을 고친 뒤 다시 시도하세요.',
    reload: '옮겨졌거나 지워졌을 수 있습니다. 목록을 새로 고치세요.',
    reopen: '작업 공간을 열기 전에는 아무것도 할 수 없습니다.',
    importPack: '팩 화면에서 팩을 가져오거나 시작 팩을 다시 설치하세요.',
    checkServer: '서버가 실행 중이면 모델 이름과 키를 확인하세요.',
    startDocker: 'Docker 또는 Podman을 시작한 뒤 다시 시도하세요.',
    giveToken: '모델 페이지에서 이용 조건에 동의하거나, 아래에서 HF_TOKEN을 바꾸세요.',
    goOnline: '이 컴퓨터 밖으로 보내도 된다면 설정 → 네트워크에서 오프라인을 끄세요.',
    freeDisk: '디스크 공간이나 작업 공간 폴더의 권한을 확인한 뒤 다시 시도하세요.',
    checkFile: '해당 파일을 확인하거나 다시 가져오세요.',
    wait: '끝날 때까지 기다리거나 취소하세요.',
    none: '',
    openLink: '“koab serve”가 실행 중인 터미널에서 Enter를 눌러 나오는 새 주소를 여세요.',
    startServer: '“koab serve”를 멈췄다면 다시 시작해 새 주소를 여세요. 진행 중이던 실행은 이어서 할 수 있습니다.',
    report: '프로그램의 버그입니다. 위 문장과 함께 알려 주세요.',
  },
};
