// Dialogs of the system over the real window. No web page has a part in them, so they are driven as a person does it: by
// what the display shows and the keys that are pressed. Needs xdotool.
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const start = promisify(execFile);

/** Answers a dialog for saving with a path, as soon as it is there. `title` is a part of the dialog's title. */
export async function saveAs(display, title, path) {
  const xdotool = async (...words) =>
    (await start('xdotool', words, { env: { ...process.env, DISPLAY: display } })).stdout.trim();
  const dialogs = () =>
    xdotool('search', '--onlyvisible', '--name', title).then(
      (ids) => ids.split('\n').filter(Boolean),
      () => [],
    );
  let ids = [];
  for (let tries = 0; ids.length === 0; tries += 1) {
    if (tries > 200) throw new Error(`no dialog “${title}” has come`);
    await sleep(50);
    ids = await dialogs();
  }
  // No window manager gives it the keyboard here.
  await xdotool('windowfocus', '--sync', ids.at(-1));
  await xdotool('key', 'ctrl+a');
  await xdotool('type', '--delay', '5', path);
  await xdotool('key', 'Return');
  for (let tries = 0; (await dialogs()).length > 0; tries += 1) {
    if (tries > 200) throw new Error(`the dialog “${title}” stays`);
    await sleep(50);
  }
}
