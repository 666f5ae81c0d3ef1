import { expect, it } from 'vitest';
import { brokenName, radar } from './charts';

it('long names of groups stand in two lines around a profile, short ones in one', () => {
  expect(['L1', 'Dialog.call', 'CallDecision.SLOT-some'].map(brokenName)).toEqual([
    'L1',
    'Dialog.call',
    'CallDecision.\nSLOT-some',
  ]);
  const level = (name: string) => ({ name, value: 0.5 }) as never;
  expect(radar([level('CallDecision.SLOT-some')], 'SR').radar).toMatchObject({ axisName: { formatter: brokenName } });
});
