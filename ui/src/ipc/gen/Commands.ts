// This file was generated from the table in koab-api's commands.rs. Do not edit it.
import type { Activity } from './Activity';
import type { AppInfo } from './AppInfo';
import type { DryRun } from './DryRun';
import type { EvaluateRequest } from './EvaluateRequest';
import type { ModelSummary } from './ModelSummary';
import type { PackSummary } from './PackSummary';
import type { ReportView } from './ReportView';
import type { RunRequest } from './RunRequest';
import type { RunSnapshot } from './RunSnapshot';
import type { RunSummary } from './RunSummary';
import type { RunsNow } from './RunsNow';
import type { TaskChoice } from './TaskChoice';

/** Every command: whether it sends events, its arguments, what it answers. */
export interface Commands {
  app_info: { streams: false, args: Record<string, never>, answer: AppInfo };
  packs_list: { streams: false, args: Record<string, never>, answer: Array<PackSummary> };
  pack_use: { streams: false, args: { name: string }, answer: null };
  models_list: { streams: false, args: Record<string, never>, answer: Array<ModelSummary> };
  run_start: { streams: true, args: { request: RunRequest }, answer: null };
  run_subscribe: { streams: true, args: { run: string }, answer: RunSnapshot };
  run_cancel: { streams: false, args: { run: string }, answer: null };
  run_pause: { streams: false, args: { run: string }, answer: null };
  run_unpause: { streams: false, args: { run: string }, answer: null };
  run_estimate: { streams: false, args: { request: RunRequest }, answer: DryRun };
  run_queue: { streams: false, args: { requests: Array<RunRequest> }, answer: RunsNow };
  runs_now: { streams: false, args: Record<string, never>, answer: RunsNow };
  run_unqueue: { streams: false, args: { run: string }, answer: RunsNow };
  run_move: { streams: false, args: { run: string, to: number }, answer: RunsNow };
  runs_stop: { streams: false, args: Record<string, never>, answer: null };
  run_replay: { streams: false, args: { run: string }, answer: RunSnapshot };
  run_trash: { streams: false, args: { run: string }, answer: null };
  run_restore: { streams: false, args: { run: string }, answer: null };
  task_choices: { streams: false, args: { pack: string | null }, answer: Array<TaskChoice> };
  runs_list: { streams: false, args: Record<string, never>, answer: Array<RunSummary> };
  run_evaluate: { streams: false, args: { request: EvaluateRequest }, answer: ReportView };
  activities_list: { streams: false, args: Record<string, never>, answer: Array<Activity> };
  activity_cancel: { streams: false, args: { id: string }, answer: null };
  report_show: { streams: false, args: { run: string }, answer: ReportView | null };
}
