import type { EgressPurpose } from '../../ipc/gen';
import { plural } from '../plural';

export const egress = {
  switch: 'Block all requests to other computers',
  about:
    'All requests that would leave this computer are blocked immediately, also in running runs: they stop and can be resumed. Local models, cached responses and downloaded data keep working.',
  onNow: 'Offline: nothing leaves this computer.',
  forced: {
    option: 'Started in offline mode, which overrides this switch.',
    environment: 'KOAB_OFFLINE is set, which overrides this switch.',
  },
  log: 'Egress log',
  logAbout:
    'One line per request of this application to another computer, including blocked ones: time, host and purpose, never the content. Requests of scenario containers and of your browser are not included: koab does not make them.',
  nothing: 'No requests have left this computer.',
  nothingFound: 'No matching lines.',
  filter: 'Search host or purpose',
  table: 'Requests to other computers',
  time: 'Time',
  host: 'Host',
  purpose: 'Purpose',
  requests: 'Requests',
  refused: 'Blocked',
  refusedOf: (refused: string, requests: string) =>
    `${refused} of ${plural(requests, 'request')} blocked because koab was offline`,
  sum: (requests: string, refused: string) => `${plural(requests, 'request')}, ${refused} of them blocked`,
  leftOut: (rows: string) => `${plural(rows, 'older line')} not shown; the log file has all of them.`,
  unreadable: (lines: string) => `${plural(lines, 'line')} of the log unreadable.`,
  unwritten: (lines: string) => `${plural(lines, 'request')} could not be logged: is the disk full?`,
  file: 'Log file',
  clear: 'Clear…',
  clearTitle: 'Clear the log?',
  clearBody: (requests: string) => `Permanently removes the lines of ${plural(requests, 'request')}.`,
  clearDo: 'Clear',
  purposes: {
    model: 'Model',
    judge: 'Judge',
    scenario: 'Scenario model',
    pack: 'Pack download',
    archive: 'Repository archive',
    weights: 'Model download',
    benchmark: 'Scenario benchmark',
    service: 'Tool API',
    page: 'Web page',
    collector: 'Trace collector',
    engine: 'Container engine',
    image: 'Container image',
    link: 'Browser link',
    update: 'Update',
  } satisfies Record<EgressPurpose, string>,
};
