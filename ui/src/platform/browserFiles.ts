// Files that the user picks or drops in a browser. They have no paths there, so they are sent to `koab serve`, which
// keeps them until it stops and tells where.
import type { HttpServer } from './httpServer';
import type { PickOptions } from './types';
import { Uploads } from './uploads.svelte';

/** A file and where it lay in what was picked: `L1.json`, or `run/L1.json` within a folder. */
export interface Brought {
  path: string;
  file: File;
}

/** Requests at once. A browser has six connections, and the page asks for other things meanwhile. */
const MAX_REQUESTS = 4;

/** Files of a request, and their bytes: many small ones take few requests, and progress still moves. */
const MAX_FILES = 100;
const MAX_BYTES = 4 << 20;

/**
 * Sends the files, some together; answers the path of each file, and of each folder instead of the files within. None when
 * the user stops it.
 */
export async function upload(
  server: Pick<HttpServer, 'send'>,
  files: Brought[],
  uploads = new Uploads(),
): Promise<string[]> {
  if (files.length === 0) return [];
  const sets = apart(files);
  const names = new Map(sets.map((number) => [number, crypto.randomUUID()]));
  const { left, sent, end } = uploads.begin(files.map(({ file }) => file.size));
  const paths: string[] = [];
  // All workers take from one list.
  const waiting = batches(files).values();
  const work = async () => {
    for (const { begin, end } of waiting) {
      left.throwIfAborted();
      const some = files.slice(begin, end);
      const list = some.map(({ path, file }, index) => {
        return { set: names.get(sets[begin + index] ?? 0) ?? '', path, bytes: file.size };
      });
      const body = new Blob([`${JSON.stringify(list)}\n`, ...some.map(({ file }) => file)]);
      const response = await server.send('/api/upload', body, left);
      paths.push(...((await response.json()) as { paths: string[] }).paths);
      for (const { file } of some) sent(file.size);
    }
  };
  try {
    await Promise.all(Array.from({ length: MAX_REQUESTS }, work));
    return [...new Set(paths)];
  } catch (error) {
    if (left.aborted) return [];
    throw error;
  } finally {
    end();
  }
}

/** Ranges of files that are sent together, in their order. A file that is larger than a request goes alone. */
export function batches(files: readonly Pick<Brought, 'file'>[]): { begin: number; end: number }[] {
  const ranges: { begin: number; end: number }[] = [];
  let bytes = 0;
  for (const [index, { file }] of files.entries()) {
    const last = ranges.at(-1);
    if (last && last.end - last.begin < MAX_FILES && bytes + file.size <= MAX_BYTES) last.end = index + 1;
    else {
      ranges.push({ begin: index, end: index + 1 });
      bytes = 0;
    }
    bytes += file.size;
  }
  return ranges;
}

/**
 * For each file the number of the set that it lies in at the server. Files and folders of one name that came from
 * different places are kept apart, each folder with its own files; some disks know no upper and lower case.
 */
export function apart(files: readonly Pick<Brought, 'path'>[]): number[] {
  const taken = new Set<string>();
  const sets = new Map<string, number>();
  return files.map(({ path }) => {
    const plain = path.normalize('NFC').toLowerCase();
    const top = plain.split('/', 1)[0] ?? plain;
    let set = sets.get(top) ?? 0;
    while (taken.has(`${set} ${plain}`)) set += 1;
    sets.set(top, set);
    taken.add(`${set} ${plain}`);
    return set;
  });
}

/** Asks the user; none when nothing was chosen. Must be called while a click or key is handled. */
export function pickFiles({ title, extensions, folders }: PickOptions): Promise<Brought[]> {
  const input = document.createElement('input');
  input.type = 'file';
  input.title = title;
  input.multiple = true;
  input.webkitdirectory = folders ?? false;
  if (extensions && !folders) input.accept = extensions.map((extension) => `.${extension}`).join(',');
  return new Promise((resolve) => {
    input.addEventListener('cancel', () => resolve([]));
    input.addEventListener('change', () =>
      resolve([...(input.files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file }))),
    );
    input.click();
  });
}

/** Calls back whenever files are dropped anywhere on the page; returns how to stop. */
export function droppedFiles(
  dropped: (files: Promise<Brought[]>) => void,
  over: (hovering: boolean) => void,
): () => void {
  // Entering a child of the page is told before leaving the one around it.
  let depth = 0;
  const hover = (event: DragEvent, step: number) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    depth = Math.max(0, depth + step);
    over(depth > 0);
  };
  const enter = (event: DragEvent) => hover(event, 1);
  const stay = (event: DragEvent) => hover(event, 0);
  const leave = (event: DragEvent) => hover(event, -1);
  const drop = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    depth = 0;
    over(false);
    // The list is empty once the event is over, so the entries are taken out of it now.
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry());
    const found = entries.filter((entry) => entry !== null).map((entry) => within(entry, ''));
    dropped(Promise.all(found).then((lists) => lists.flat()));
  };
  addEventListener('dragenter', enter);
  addEventListener('dragover', stay);
  addEventListener('dragleave', leave);
  addEventListener('drop', drop);
  return () => {
    removeEventListener('dragenter', enter);
    removeEventListener('dragover', stay);
    removeEventListener('dragleave', leave);
    removeEventListener('drop', drop);
  };
}

/** The files of an entry, a folder's below its name. */
async function within(entry: FileSystemEntry, folder: string): Promise<Brought[]> {
  const path = folder + entry.name;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ path, file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: Brought[] = [];
  for (;;) {
    // A reader hands out a hundred entries at a time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return files;
    for (const one of some) files.push(...(await within(one, `${path}/`)));
  }
}
