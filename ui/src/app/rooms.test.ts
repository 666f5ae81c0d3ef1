import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../ipc/client';
import type { Check, ScenarioCounts } from '../ipc/gen';
import { createFake } from '../platform/fake';
import { parsePlace } from '../shared/route.svelte';
import { scenarioRoom } from '../shared/scenarioRoom.svelte';
import { addressOf, AREAS, areaOf, chosenIn, roomOf, ROOMS } from './rooms';

describe('rooms', () => {
  it('are six, and every area is in one of them and found by its own address', () => {
    expect(ROOMS.map(({ id }) => id)).toEqual(['runs', 'results', 'benchmark', 'models', 'scenarios', 'settings']);
    for (const area of AREAS) expect(areaOf(parsePlace(addressOf(area.id)))).toBe(area);
  });

  it.each([
    ['#/', 'runs'],
    ['#/start?step=2', 'runs'],
    ['#/runs/a%2F1/L1-001', 'runs'],
    ['#/forks/1', 'runs'],
    ['#/reports?verify=%2Fa.koab', 'results'],
    ['#/compare/L1-001?reports=a,b', 'results'],
    ['#/atlas', 'results'],
    ['#/find?q=a', 'results'],
    ['#/judging/queue/1', 'results'],
    ['#/packs?edit=1&draft=mine', 'benchmark'],
  ])('%s is in %s', (address, room) => {
    expect(roomOf(areaOf(parsePlace(address)).id).id).toBe(room);
  });

  it('have screens that are fetched once, and then are there', async () => {
    const { load } = areaOf(parsePlace('#/settings'));
    const fetched = load?.();
    expect(fetched).toBeInstanceOf(Promise);
    const screen = await fetched;
    expect(load?.()).toBe(screen);
  });

  it('of results take over the reports that are chosen, or the one that is open', () => {
    expect(chosenIn(parsePlace('#/reports?q=x&reports=a%2Cb&sort=date'))).toEqual({ reports: 'a,b' });
    expect(chosenIn(parsePlace('#/reports/a?tab=tasks'))).toEqual({ reports: 'a' });
    expect(chosenIn(parsePlace('#/judging?runs=r&measure=sr'))).toEqual({ runs: 'r' });
    expect(chosenIn(parsePlace('#/judging/queue/1?reports='))).toEqual({});
    expect(addressOf('compare', { reports: 'a,b' })).toBe('#/compare?reports=a%2Cb');
  });
});

describe('the room of scenarios', () => {
  beforeEach(() => scenarioRoom.want(false));
  const look = async (scenarios: Partial<ScenarioCounts>[], ok: boolean) => {
    const doctor = vi.fn((): Check[] => [{ what: 'containers', ok, found: 'an engine', remedy: '' }]);
    const scenario_results = () => ({ folder: '/results', exists: true, scenarios: scenarios as ScenarioCounts[] });
    await scenarioRoom.look(createClient(createFake({ answers: { doctor, scenario_results } })));
    return [scenarioRoom.shown, doctor.mock.calls.length];
  };

  it('is shown where results are, and no engine is looked for then', async () => {
    expect(await look([{ name: 'done' }], false)).toEqual([true, 0]);
  });

  it('is shown where an engine answers, and by the user’s wish', async () => {
    expect(await look([], true)).toEqual([true, 1]);
    expect(await look([], false)).toEqual([false, 1]);
    scenarioRoom.want(true);
    expect([scenarioRoom.shown, localStorage.getItem('koab.scenarios')]).toEqual([true, '1']);
  });

  it('is left out where nothing can be told', async () => {
    expect(await look([{ name: 'done' }], false)).toEqual([true, 0]);
    const failing = { scenario_results: { code: 'storage', message: 'no folder' } } as const;
    await scenarioRoom.look(createClient(createFake({ failing })));
    expect(scenarioRoom.shown).toBe(false);
  });
});
