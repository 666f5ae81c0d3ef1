// Views of the results that are kept under a name.
import { beforeEach, describe, expect, it } from 'vitest';
import { find, openScreen, put, screensForTests, settle } from '../shared/screenForTests';
import { Views } from './views.svelte';
import ViewsDialog from './ViewsDialog.svelte';

describe('kept views', () => {
  screensForTests();
  let tests = 0;
  let home = '';
  // The page keeps the views of a workspace for as long as it is open.
  beforeEach(() => (home = `/w${(tests += 1)}`));
  const open = (at: string) => openScreen(ViewsDialog as never, { at, props: { home, onClose: () => undefined } });
  const names = () => [...document.querySelectorAll<HTMLElement>('[data-view]')].map((one) => one.dataset['view']);
  const press = async (selector: string) => {
    find(selector)?.click();
    await settle();
  };
  async function keep(name: string): Promise<void> {
    await put('#view-name', name);
    await press('[type="submit"]');
  }

  it('keep the address that is shown, reports and filters with it', async () => {
    await open('#/compare?reports=a%2Cb&metric=FSM');
    await keep(' 두 모델 ');
    expect(names()).toEqual(['두 모델']);
    await open('#/reports');
    expect(find('[data-view] a')?.getAttribute('href')).toBe('#/compare?reports=a%2Cb&metric=FSM');
  });

  it('are renamed, but not to a name that is taken', async () => {
    const views = new Views(home);
    views.keep('one', '#/reports');
    views.keep('two', '#/atlas');
    await open('#/reports');
    await press('[data-view="one"] button');
    await put('[data-view="one"] input', 'two');
    await press('[data-view="one"] [type="submit"]');
    expect(find('[role="alert"]')).not.toBeNull();
    await put('[data-view="one"] input', 'three');
    await press('[data-view="one"] [type="submit"]');
    expect(names()).toEqual(['three', 'two']);
    expect(new Views(home).all.map(({ name }) => name)).toEqual(['three', 'two']);
  });

  it('come back after a removal', async () => {
    new Views(home).keep('one', '#/reports');
    await open('#/reports');
    await press('[data-view="one"] button:last-child');
    expect(new Views(home).all).toEqual([]);
    await press('[data-undo]');
    expect(names()).toEqual(['one']);
    expect(new Views(home).all).toHaveLength(1);
  });

  it('belong to one workspace', () => {
    new Views(home).keep('one', '#/reports');
    expect(new Views(home).all).toHaveLength(1);
    expect(new Views('/other').all).toEqual([]);
  });

  it('are none where what is kept cannot be read', () => {
    localStorage.setItem(`koab.views ${home}`, '[{"name": "a", "address": "#/reports"}]');
    expect(new Views(home).all).toHaveLength(1);
    for (const kept of ['{', '{}', '[1, {"name": "a", "address": "javascript:alert(1)"}]']) {
      localStorage.setItem(`koab.views ${home}`, kept);
      expect(new Views(home).all).toEqual([]);
    }
  });
});
