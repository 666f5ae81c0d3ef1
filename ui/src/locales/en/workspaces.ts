export const workspaces = {
  title: 'Recent workspaces',
  about: 'Each workspace has a window of its own. One that is open already comes to the front.',
  opened: 'Last opened',
  states: {
    here: 'This window',
    there: 'Ready',
    empty:
      'Removed: the folder has no workspace any more. Opening it starts an empty one; restore it from a backup first if there is one.',
    missing: 'Folder not found. Connect its drive or move it back to open it, or remove it from the list.',
  },
  openNew: 'Open in new window',
  openHere: 'Open in this window',
  busy: 'Work is in progress in this window, so the workspace can be opened in a new window only.',
  forgetNamed: (folder: string) => `Remove ${folder} from the list; the folder stays as it is`,
  other: 'Open another folder…',
  otherTitle: 'Choose a workspace folder, or an empty one for a new workspace',
  action: (name: string) => `Open workspace ${name} in new window`,
  actionOther: 'Open another workspace…',
  words: 'workspace recent window folder open 작업 공간 최근 새 창 열기',
};
