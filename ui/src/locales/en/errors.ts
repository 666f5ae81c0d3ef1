import type { NextStep } from '../../ipc/errors';

export const errors = {
  title: { info: 'Note', warning: 'Please check', error: 'That did not work' },
  next: {
    change: 'Change the input and try again.',
    reload: 'It may have been moved or deleted. Reload the lists.',
    reopen: 'Nothing works until the workspace can be opened.',
    importPack: 'Import a pack on the Packs screen, or bring the starter pack back there.',
    checkServer: 'Check the model’s name and key, and that its server runs at the base URL.',
    startDocker: 'Start Docker or Podman, then try again.',
    giveToken: 'Accept the model’s terms on its page, or set another HF_TOKEN below.',
    goOnline: 'Switch offline off under Settings → Network if this may leave the computer.',
    freeDisk: 'Make room on the disk or check the workspace folder’s permissions, then try again.',
    checkFile: 'Check the named file, or import it again.',
    wait: 'Wait until it is done, or cancel it.',
    none: '',
    openLink: 'Press Enter where “koab serve” runs and open the new link.',
    startServer: 'If “koab serve” was stopped, start it again and open its link; a run that was under way can be resumed.',
    report: 'This is a fault of the program. Please report it with the sentence above.',
  } satisfies Record<NextStep, string>,
};
