import { expect, test } from 'vitest';
import { linkTo } from '../shared/link';
import { targetOf } from './links';

test.each([
  ['koab://run/20260101-120000-azure%2Fgpt-4o', { address: '#/runs/20260101-120000-azure%2Fgpt-4o' }],
  ['koab://run/some-run/L3-001', { address: '#/runs/some-run/L3-001' }],
  ['koab://report/some%20report', { address: '#/reports/some%20report' }],
  ['koab://report/', { address: '#/reports' }],
  ['koab://compare?reports=a,b', { address: '#/compare?reports=a%2Cb' }],
  ['koab://report/a?tab=tasks&row=L1-004&new=1', { address: '#/reports/a?tab=tasks&row=L1-004' }],
  ['koab://atlas?reports=a&row=0%20L1%20L1-004', { address: '#/atlas?reports=a&row=0+L1+L1-004' }],
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

test.each([
  ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/#/reports/a%2Fb?row=L1'],
  ['http://tauri.localhost/', 'koab://report/a%2Fb?row=L1'],
  ['tauri://localhost/', 'koab://report/a%2Fb?row=L1'],
])('an address of the page at %s is written down as %s', (page, link) => {
  expect(linkTo('#/reports/a%2Fb?row=L1', new URL(page) as unknown as Location)).toBe(link);
});
