// The user's stories, end to end: the built command line serves the built page to a real browser.
//
//   node e2e/stories.mjs KOAB [--shared FOLDER] [--only STORY,…] [--whole]
//
// Needs Chromium. Stories on the reference data are skipped where there is none. Each has workspaces of its own, which
// are removed afterwards.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { check, end, skip } from './report.mjs';
import { launch } from './served.mjs';
import { agents } from './stories/agents.mjs';
import { bfcl } from './stories/bfcl.mjs';
import { comparability } from './stories/comparability.mjs';
import { editor } from './stories/editor.mjs';
import { elsewhere } from './stories/elsewhere.mjs';
import { exports } from './stories/exports.mjs';
import { figures } from './stories/figures.mjs';
import { firstStart } from './stories/firstStart.mjs';
import { forks } from './stories/forks.mjs';
import { functionchat } from './stories/functionchat.mjs';
import { gallery } from './stories/gallery.mjs';
import { guide } from './stories/guide.mjs';
import { imports } from './stories/imports.mjs';
import { judged } from './stories/judged.mjs';
import { keyboard } from './stories/keyboard.mjs';
import { library } from './stories/library.mjs';
import { localModels } from './stories/localModels.mjs';
import { misses } from './stories/misses.mjs';
import { overrides } from './stories/overrides.mjs';
import { palette } from './stories/palette.mjs';
import { published } from './stories/published.mjs';
import { recorder } from './stories/recorder.mjs';
import { rooms } from './stories/rooms.mjs';
import { accessibility, layout } from './stories/screens.mjs';
import { starter } from './stories/starter.mjs';
import { submission } from './stories/submission.mjs';
import { across } from './stories/across.mjs';
import { adaptive } from './stories/adaptive.mjs';
import { reviews } from './stories/reviews.mjs';
import { sweep } from './stories/sweep.mjs';

const STORIES = [
  { name: 'starter', tell: starter },
  { name: 'firstStart', tell: firstStart },
  { name: 'rooms', tell: rooms },
  { name: 'guide', tell: guide },
  { name: 'keyboard', tell: keyboard },
  { name: 'judged', tell: judged },
  { name: 'sweep', tell: sweep },
  { name: 'adaptive', tell: adaptive },
  { name: 'elsewhere', tell: elsewhere },
  { name: 'published', tell: published, needsShared: true },
  { name: 'imports', tell: imports, needsShared: true },
  { name: 'comparability', tell: comparability, needsShared: true },
  { name: 'exports', tell: exports, needsShared: true },
  { name: 'figures', tell: figures, needsShared: true },
  { name: 'palette', tell: palette, needsShared: true },
  { name: 'overrides', tell: overrides, needsShared: true },
  { name: 'library', tell: library, needsShared: true },
  { name: 'editor', tell: editor },
  { name: 'recorder', tell: recorder },
  { name: 'agents', tell: agents },
  { name: 'localModels', tell: localModels },
  { name: 'misses', tell: misses },
  { name: 'forks', tell: forks },
  { name: 'functionchat', tell: functionchat },
  { name: 'bfcl', tell: bfcl },
  { name: 'across', tell: across },
  { name: 'reviews', tell: reviews },
  { name: 'submission', tell: submission, needsShared: true },
  { name: 'gallery', tell: gallery },
  { name: 'layout', tell: layout },
  { name: 'accessibility', tell: accessibility },
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { shared: { type: 'string' }, only: { type: 'string' }, whole: { type: 'boolean' } },
});
const [koab] = positionals;
if (!koab) {
  console.error('usage: node e2e/stories.mjs KOAB [--shared FOLDER] [--only STORY,…] [--whole]');
  process.exit(2);
}
const only = values.only?.split(',');
const browser = await launch();
for (const { name, tell, needsShared } of STORIES) {
  if (only && !only.includes(name)) continue;
  if (needsShared && !values.shared) skip(`${name}: the reference data is not there (../shared)`);
  else {
    console.log(`-- ${name}`);
    const begun = Date.now();
    // What fails outside a check, such as a server that does not start, ends this story and not the others.
    await check(`${name} is told to its end`, () =>
      tell({ koab: resolve(koab), browser, shared: values.shared && resolve(values.shared), whole: values.whole }),
    );
    console.log(`   ${Math.round((Date.now() - begun) / 1000)} s`);
  }
}
await browser.close();
end();
