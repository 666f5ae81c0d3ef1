export const findings = {
  weight: 'Severity',
  kind: 'Kind',
  where: 'Location',
  what: 'Finding',
  severity: { pass: 'passed', note: 'note', warning: 'warning', error: 'error' },
  line: (line: string) => `line ${line}`,
  toLine: (line: string) => `Show line ${line}`,
};
