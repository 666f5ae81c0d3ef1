// A server of tools for tests, and a program that calls one.
import { join } from 'node:path';

const SERVER = join(import.meta.dirname, '../../src-tauri/crates/koab-cli/tests/mcp/server.py');

/** The words that start the server; `mark` is in them for whoever looks for its process. */
export const serverLine = (mark) => `python3 '${SERVER}' plain ${mark}`;

/** Sends a message over HTTP; the message of its answer. */
export async function mcp(address, method, params = {}) {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return (await fetch(address, { method: 'POST', headers, body })).json();
}

/** Calls a tool. */
export const callTool = (address, name, args = {}) => mcp(address, 'tools/call', { name, arguments: args });
