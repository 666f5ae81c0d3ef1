// What a job of the engine changes: said here, since its own screen may not be the one that is shown.
import type { Job } from '../ipc/gen';
import type { Jobs } from '../shared/jobs.svelte';
import type { Changed, Writer } from '../shared/query.svelte';

/** Commands that change what each news of the job is about. Every run that begins or ends is news. */
const BY_NEWS: Partial<Record<Job['kind'], readonly Writer[]>> = {
  adaptive: ['adaptive_start', 'run_start'],
  sweep: ['sweep_start', 'run_start'],
};
/** Command that the end of the job completes. After a reload of the page, nobody waits for the command itself. */
const BY_END: Partial<Record<Job['kind'], Writer>> = {
  pack_import: 'pack_import',
  pack_pull: 'pack_pull',
  recording: 'recording_start',
};

/** Returns how to stop. */
export function hearJobs(jobs: Jobs, changed: Changed): () => void {
  const heard = new Map<string, number>();
  return jobs.onChange((job, known) => {
    const completed = BY_END[job.kind];
    if (job.finished && known && completed) changed(completed);
    const commands = BY_NEWS[job.kind];
    if (!commands || (!job.finished && heard.get(job.id) === job.news)) return;
    if (job.finished) heard.delete(job.id);
    else heard.set(job.id, job.news);
    changed(...commands);
  });
}
