// A pack as an archive, kept where the user says.
import type { Client } from '../../ipc/client';
import type { Platform } from '../../platform/types';

export async function keepArchive(client: Client, platform: Platform, label: string): Promise<void> {
  const file = await client.call('pack_export', { name: label });
  const bytes = Uint8Array.from(atob(file.base64), (letter) => letter.charCodeAt(0));
  await platform.save(file.name, bytes, 'application/zip');
}
