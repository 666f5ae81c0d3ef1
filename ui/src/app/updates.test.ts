// Updates as the window asks about them and tells of them.
import { beforeEach, expect, it, vi } from 'vitest';
import { SETTINGS } from '../platform/fakeData';
import { FakeJobs } from '../platform/fakeJobs';
import type { HostUpdates, UpdatesView } from '../platform/types';
import SettingsScreen from '../features/settings/Screen.svelte';
import { preferences } from '../shared/preferences.svelte';
import { find, openScreen, screensForTests, settle, text } from '../shared/screenForTests';
import { updates } from '../shared/updates.svelte';
import UpdateNotice from './UpdateNotice.svelte';

screensForTests();

const VIEW: UpdatesView = { hosts: ['updates.example'], wanted: null, asked_ms: null, found: null, installed: null };
let view: UpdatesView;
const change = (some: Partial<UpdatesView>) => (view = { ...view, ...some });
const host = {
  view: vi.fn(async () => view as UpdatesView | null),
  want: vi.fn(async (wanted: boolean) => change({ wanted })),
  look: vi.fn(async () => change({ asked_ms: 1_800_000_000_000, found: '2.0.0' })),
  install: vi.fn(async () => change({ found: null, installed: '2.0.0' })),
} satisfies HostUpdates;

beforeEach(() => {
  vi.clearAllMocks();
  view = VIEW;
});

async function open(shown: typeof UpdateNotice | typeof SettingsScreen, offline = false, jobs = new FakeJobs()) {
  await openScreen(shown as never, {
    jobs,
    answers: {
      settings_get: () => ({ ...SETTINGS, offline: { on: offline, kept: offline, forced: null } }),
      prices_list: () => [],
    },
    before: async ({ client }) => {
      await preferences.begin(client, 'en');
      await updates.begin(host);
    },
  });
}
const press = async (id: string) => {
  find(id)?.click();
  await settle();
};

it('asks once; a no asks the server nothing', async () => {
  await open(UpdateNotice);
  expect(text()).toContain('Check for updates once a day?');
  expect(text()).toContain('updates.example');
  expect(host.look).not.toHaveBeenCalled();
  await press('#updates-no');
  expect(find('[data-updates]')).toBeNull();
  expect(host.look).not.toHaveBeenCalled();
  await open(UpdateNotice);
  expect(find('[data-updates]')).toBeNull();
});

it('is not asked while offline', async () => {
  await open(UpdateNotice, false);
  expect(find('[data-updates]')).not.toBeNull();
  await open(UpdateNotice, true);
  expect(host.view).toHaveBeenCalledTimes(2);
  expect(find('[data-updates]')).toBeNull();
});

it('a yes looks, and what is found is installed on a press only', async () => {
  await open(UpdateNotice);
  await press('#updates-yes');
  expect(host.look.mock.calls).toEqual([[false]]);
  expect(text()).toContain('Version 2.0.0 is available.');
  expect(host.install).not.toHaveBeenCalled();
  await press('#updates-install');
  expect(text()).toContain('Version 2.0.0 is installed');
});

it('what did not work is told, and can be tried again', async () => {
  change({ wanted: true });
  host.install.mockRejectedValueOnce({ code: 'model_unreachable', message: 'the update did not work' });
  await open(UpdateNotice);
  await press('#updates-install');
  expect(text()).toContain('the update did not work');
  await press('#updates-install');
  expect(text()).toContain('Version 2.0.0 is installed');
});

it('the settings turn it on and off and look at once; a build without updates shows none of it', async () => {
  await open(SettingsScreen);
  expect(find<HTMLInputElement>('#settings-updates')?.checked).toBe(false);
  await press('#settings-updates');
  expect(host.want.mock.calls).toEqual([[true]]);
  await press('#updates-now');
  expect(host.look).toHaveBeenLastCalledWith(true);
  expect(text()).toContain('Version 2.0.0 is available.');
  await press('#settings-updates-install');
  expect(text()).toContain('Version 2.0.0 is installed');
  host.view.mockResolvedValueOnce(null);
  await open(SettingsScreen);
  expect(find('#settings-updates')).toBeNull();
  await openScreen(SettingsScreen as never, {
    answers: { prices_list: () => [] },
    before: ({ client }) =>
      Promise.all([preferences.begin(client, 'en'), updates.begin(undefined)]).then(() => undefined),
  });
  expect(find('#settings-updates')).toBeNull();
});
