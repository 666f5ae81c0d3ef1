import { expect, test } from 'vitest';
import { addressOrNull, asAddress, isAddress } from './address';

test.each([
  ['127.0.0.1:18080', 'http://127.0.0.1:18080'],
  ['localhost:8000/v1', 'http://localhost:8000/v1'],
  [' gpu-1 ', 'http://gpu-1'],
  ['[::1]:8000/v1', 'http://[::1]:8000/v1'],
  ['//127.0.0.1:1', 'http://127.0.0.1:1'],
  ['10.0.0.7', 'http://10.0.0.7'],
  ['gpu.lab.ac.kr:8000/v1', 'http://gpu.lab.ac.kr:8000/v1'],
  ['api.example.com/v1', 'https://api.example.com/v1'],
  ['gpu.local/v1', 'http://gpu.local/v1'],
  ['api.example.com', 'https://api.example.com'],
  ['http://api.example.com/v1', 'http://api.example.com/v1'],
  ['HTTPS://x/v1', 'HTTPS://x/v1'],
  ['ftp://x', 'ftp://x'],
  ['  ', ''],
])('%j is asked as %j', (typed, address) => {
  expect(asAddress(typed)).toBe(address);
  expect(asAddress(address)).toBe(address);
  expect(addressOrNull(typed)).toBe(address || null);
});

test.each([
  ['127.0.0.1:18080', true],
  ['http://localhost/v1', true],
  ['a b', false],
  ['http://a b/v1', false],
  ['ftp://x', false],
  ['http://', false],
  ['', true],
])('%j can be an address: %s', (typed, can) => {
  expect(isAddress(typed, false)).toBe(can);
});

test('an address that is needed is not empty', () => {
  expect(isAddress(' ', true)).toBe(false);
});
