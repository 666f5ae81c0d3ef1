import type { NextStep } from '../../ipc/errors';

export const errors = {
  title: { info: 'Note', warning: 'Warning', error: 'Error' },
  next: {
    change: 'Change the input and retry.',
    reload: 'It may have been moved or deleted. Reload the list.',
    reopen: 'Nothing works until the workspace can be opened.',
    importPack: 'Import a pack or restore the starter pack on the Packs screen.',
    checkServer: 'If its server is running, check the model name and the key.',
    startDocker: 'Start Docker or Podman, then retry.',
    giveToken: 'Accept the model’s terms on its page, or set another HF_TOKEN below.',
    goOnline: 'Turn off offline mode under Settings → Network if this may leave the computer.',
    freeDisk: 'Free disk space or check the permissions of the workspace folder, then retry.',
    checkFile: 'Check the file, or import it again.',
    wait: 'Wait until it finishes, or cancel it.',
    none: '',
    openLink: 'Press Enter where “koab serve” runs and open the new link.',
    startServer: 'If “koab serve” was stopped, start it again and open its link; a run in progress can be resumed.',
    report: 'This is a bug. Please report it with the sentence above.',
  } satisfies Record<NextStep, string>,
};
