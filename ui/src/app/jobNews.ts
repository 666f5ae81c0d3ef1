// What a job of the engine changes: said here, since its own screen may not be the one that is shown.
import type { Job } from '../ipc/gen';
import type { Jobs } from '../shared/jobs.svelte';
import type { Changed } from '../shared/query.svelte';
import type { Tag } from '../shared/queryTags';

/** What has changed with each news of it: every run that begins or ends is one. */
const BY_NEWS: Partial<Record<Job['kind'], readonly Tag[]>> = {
  adaptive: ['adaptive', 'runs', 'reports'],
  sweep: ['sweeps', 'runs', 'reports'],
};
/** What has changed with its end. A pack whose import was begun before a reload of the page comes in while nobody waits for it. */
const BY_END: Partial<Record<Job['kind'], readonly Tag[]>> = {
  pack_import: ['packs', 'snapshots'],
  pack_pull: ['packs', 'snapshots'],
  recording: ['packs', 'snapshots'],
};

/** Returns how to stop. */
export function hearJobs(jobs: Jobs, changed: Changed): () => void {
  const heard = new Map<string, number>();
  return jobs.onChange((job, known) => {
    if (job.finished && known) changed(...(BY_END[job.kind] ?? []));
    const tags = BY_NEWS[job.kind];
    if (!tags || (!job.finished && heard.get(job.id) === job.news)) return;
    if (job.finished) heard.delete(job.id);
    else heard.set(job.id, job.news);
    changed(...tags);
  });
}
