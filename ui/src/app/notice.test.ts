import { expect, test } from 'vitest';
import type { EndedRun, ReportRow, RunSummary } from '../ipc/gen';
import { wordsIn } from '../locales';
import { REPORT_ROW } from '../shared/reports/row.fixture';
import { noticeOf } from './notice';

const ENDED: EndedRun = {
  run: 'r',
  id: 'm/1',
  model: 'openai/m',
  outcome: 'completed',
  error: null,
  reports: ['m_1'],
  spans: null,
};
const RUN = { status: { outcome: 'completed', planned: 91, done: 90 } } as RunSummary;
const JUDGED: ReportRow = { ...REPORT_ROW, judges: ['azure/gpt-4o'], success: 0.8125, composite: 0.71236 };
const error: EndedRun['error'] = { code: 'model_unreachable', message: 'the server said: call this number' };

test.each<[string, Partial<EndedRun>, ReportRow | undefined, string, string]>([
  ['judged', {}, JUDGED, 'SR 0.8125 · Composite 0.7124', 'SR 0.8125 · 종합 점수 0.7124'],
  ['judged in part', {}, { ...JUDGED, composite: null }, 'SR 0.8125 · Composite —', 'SR 0.8125 · 종합 점수 —'],
  [
    'not judged',
    {},
    REPORT_ROW,
    'Not judged, so there is no SR and no composite',
    'Judge 평가 없음: SR과 종합 점수를 계산하지 않았습니다',
  ],
  ['not scored', { reports: [] }, undefined, 'Not scored', '채점하지 않음'],
  [
    'scored in vain',
    { reports: [], error },
    undefined,
    'Scoring failed; the window shows why',
    '채점하지 못했습니다. 이유는 창에서 확인하세요',
  ],
  [
    'not to be read',
    {},
    undefined,
    'Scored; the report cannot be read now',
    '채점했으나 지금은 보고서를 읽을 수 없습니다',
  ],
])('a run that is %s', (_, some, report, en, ko) => {
  const said = (language: 'en' | 'ko') =>
    noticeOf({ ...ENDED, ...some }, { run: RUN, report }, wordsIn(language), language);
  expect(said('en')).toEqual({ title: 'Completed', body: `openai/m\n90 of 91 attempts done\n${en}` });
  expect(said('ko')).toEqual({ title: '완료', body: `openai/m\n시도 91회 중 90회 완료\n${ko}` });
});

test('a run that did not begin says nothing that a server said', () => {
  const ended = { ...ENDED, id: null, outcome: null, reports: [], error };
  expect(noticeOf(ended, { run: undefined, report: undefined }, wordsIn('en'), 'en')).toEqual({
    title: 'The run could not start',
    body: 'openai/m\nThe window shows why',
  });
});
