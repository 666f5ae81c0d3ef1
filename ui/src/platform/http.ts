// The host behind `koab serve`: the same commands over HTTP, and what a browser can do of a desktop.
import { toWireError } from '../ipc/errors';
import type { WireError } from '../ipc/gen';
import { locale } from '../shared/locale.svelte';
import { Uploads } from './uploads.svelte';
import { droppedFiles, pickFiles, upload } from './browserFiles';
import { Connection } from './connection';
import { HttpServer, openSession } from './httpServer';
import { Watch } from './httpWatch';
import type { News } from './httpServer';
import type { OnEvents, Platform } from './types';

/** The platform of this tab, or `null` when it was not opened with a link of `koab serve`. */
export async function connect(): Promise<Platform | null> {
  const session = await openSession();
  if (session === null) return null;
  const connection = new Connection();
  return createHttp(new HttpServer(session, connection), connection);
}

export function createHttp(server: HttpServer, connection: Connection): Platform {
  const uploads = new Uploads();
  return {
    host: 'browser',
    connection,
    uploads,

    // A browser has six connections: what was asked for a screen that nobody looks at must not hold them.
    call: async (command, args, left) => (await server.send(`/api/call/${command}`, JSON.stringify(args), left)).json(),

    stream: (command, args, onEvents) => new Watch(server, onEvents as OnEvents<News>).begin(command, args),

    // A run goes on without its page, so nobody is asked; and a page cannot close a tab that the user opened.
    onCloseRequested: async () => () => undefined,
    onLink: async () => () => undefined,
    progress: async () => undefined,
    close: async () => window.close(),

    pick: async (options) => upload(server, await pickFiles(options), uploads),

    async save(name, content, type, beside = []) {
      const files = [{ name, text: content, media: type }, ...beside];
      for (const { name: own, text, media } of files) {
        const link = document.createElement('a');
        link.href = URL.createObjectURL(new Blob([text as BlobPart], { type: media }));
        link.download = own;
        link.click();
        // The browser has taken the content by then.
        setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
      }
      return files.map((file) => file.name).join(', ');
    },

    onDrop: async (dropped, over, failed) =>
      droppedFiles((files) => {
        files
          .then((brought) => upload(server, brought, uploads))
          .then(dropped, (error: unknown) => failed(toWireError(error)));
      }, over),

    async notify(title, body) {
      if ('Notification' in window && Notification.permission === 'granted') new Notification(title, { body });
    },

    async open(target) {
      if (!/^https?:\/\//.test(target)) {
        throw { code: 'bad_request', message: locale.t.connection.onlyLinks } satisfies WireError;
      }
      // The engine writes it down, and refuses it while it is offline.
      await server.send('/api/call/link_opening', JSON.stringify({ address: target }));
      window.open(target, '_blank', 'noopener,noreferrer');
    },
  };
}
