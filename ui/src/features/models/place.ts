import type { KeyPlace, KeysView } from '../../ipc/gen';

/** The safest place that there is: the keychain, else the file the user already made, else this session only. */
export function begin({ keychain, file }: KeysView): KeyPlace {
  if (keychain === 'ready' || keychain === 'locked') return 'keychain';
  return file === 'absent' ? 'session' : 'file';
}
