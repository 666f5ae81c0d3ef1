import { expect, test } from 'vitest';
import { targetOf } from './links';

test.each([
  ['koab://run/20260101-120000-azure%2Fgpt-4o', { address: '#/runs/20260101-120000-azure%2Fgpt-4o' }],
  ['koab://run/some-run/L3-001', { address: '#/runs/some-run/L3-001' }],
  ['koab://report/some%20report', { address: '#/reports/some%20report' }],
  ['koab://report/', { address: '#/reports' }],
  ['koab://compare?reports=a,b', { address: '#/compare?reports=a%2Cb' }],
  ['KOAB://run/a', { address: '#/runs/a' }],
  // Nothing that a link asks for beside what it shows is done.
  ['koab://run/a?import=new&new=1', { address: '#/runs/a' }],
  ['koab://import?path=/home/me/run.koab', { files: '/home/me/run.koab' }],
  ['koab://import?path=%2Fhome%2Fme%2F%EB%B3%B4%EA%B3%A0', { files: '/home/me/보고' }],
  ['koab://import', { importing: true }],
  ['koab://settings', null],
  ['koab://', null],
  ['https://example.org/run/a', null],
])('%s leads to %j', (link, target) => {
  expect(targetOf(link)).toEqual(target);
});
