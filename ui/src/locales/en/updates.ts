export const updates = {
  title: 'Updates',
  question: 'Check for updates once a day?',
  about: (hosts: string) =>
    `Only the number of the newest version is read from ${hosts}. Nothing is installed until you press a button, and nothing is requested while offline.`,
  yes: 'Check daily',
  no: 'Never',
  wanted: 'Check for updates once a day when the window starts',
  asked: (when: string) => `Last checked ${when}`,
  never: 'Not checked yet',
  newest: 'This is the newest version.',
  found: (version: string) => `Version ${version} is available.`,
  install: (version: string) => `Install ${version}`,
  installing: 'Downloading and installing…',
  installed: (version: string) => `Version ${version} is installed and starts with the next window.`,
  busy: 'Work is in progress; installing may end this window on Windows, so wait for its end.',
};
