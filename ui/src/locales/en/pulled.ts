import type { DriftStanding } from '../../ipc/gen';
import { plural } from '../plural';

export const pulled = {
  title: 'Download from Hugging Face or a repository…',
  kinds: { hub: 'Hugging Face dataset', archive: 'Repository or archive URL' },
  from: { hub: 'Dataset', archive: 'URL of the repository page or archive' },
  revision: 'Revision',
  newest: 'latest',
  fetch: 'Download',
  busy: 'Downloading…',
  token:
    'Private or gated datasets use HF_TOKEN from your keys; HF_ENDPOINT and HF_HOME set another hub and cache folder.',
  came: (name: string, files: string, size: string) => `${name}: ${plural(files, 'file')}, ${size}.`,
  with: (pack: string) => `Tools, judge prompts and cached responses come from ${pack}.`,
  commit: 'Commit',
  published: (name: string, tasks: string) => `${name}: ${plural(tasks, 'published task')}.`,
  sets: 'Published tasks',
  setsAbout: 'Downloaded published tasks, for comparison with an installed pack. No network needed.',
  tasks: (tasks: string) => plural(tasks, 'task'),
  page: 'Page',
  against: 'Compare with',
  forgetAbout: 'The files stay in the shared Hugging Face cache.',
  notRunnable:
    'Only instructions and tool names are published here, so this cannot be run. Runs use the tasks of an installed pack.',
  noPack: 'No pack installed to compare with.',
  heldAgainst: (pack: string) => `Compared with ${pack} by task instruction.`,
  noDrift: 'The pack matches the published tasks.',
  differ: (count: string) => `${plural(count, 'task differs', 'tasks differ')}.`,
  differing: 'All differences',
  standings: {
    same: 'same',
    other_tools: 'different tools',
    other_level: 'different level',
    only_published: 'only published',
    only_in_pack: 'only in the pack',
  } satisfies Record<DriftStanding, string>,
  columns: {
    published: 'Published',
    in_pack: 'In the pack',
    published_tools: 'Published tools',
    pack_tools: 'Pack tools',
  },
};
