// This file was generated from the table in koab-api's commands.rs. Do not edit it.
import type { Activity } from './Activity';
import type { AppInfo } from './AppInfo';
import type { EvaluateRequest } from './EvaluateRequest';
import type { ModelSummary } from './ModelSummary';
import type { PackSummary } from './PackSummary';
import type { ReportView } from './ReportView';
import type { RunRequest } from './RunRequest';
import type { RunSnapshot } from './RunSnapshot';
import type { RunSummary } from './RunSummary';

/** Every command: whether it sends events, its arguments, what it answers. */
export interface Commands {
  app_info: { streams: false, args: Record<string, never>, answer: AppInfo };
  packs_list: { streams: false, args: Record<string, never>, answer: Array<PackSummary> };
  pack_use: { streams: false, args: { name: string }, answer: null };
  models_list: { streams: false, args: Record<string, never>, answer: Array<ModelSummary> };
  run_start: { streams: true, args: { request: RunRequest }, answer: null };
  run_subscribe: { streams: true, args: { run: string }, answer: RunSnapshot };
  run_cancel: { streams: false, args: { run: string }, answer: null };
  runs_list: { streams: false, args: Record<string, never>, answer: Array<RunSummary> };
  run_evaluate: { streams: false, args: { request: EvaluateRequest }, answer: ReportView };
  activities_list: { streams: false, args: Record<string, never>, answer: Array<Activity> };
  activity_cancel: { streams: false, args: { id: string }, answer: null };
  report_show: { streams: false, args: { run: string }, answer: ReportView | null };
}
