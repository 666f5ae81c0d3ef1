// `*_messages.json` of any generation: a list of messages, or lists by the agent they were exchanged with.

export interface Message {
  who: string | null;
  role: string | null;
  text: string;
  calls: string[];
}

export interface Talk {
  with: string | null;
  messages: Message[];
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const word = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
const asText = (value: unknown): string =>
  typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value, null, 2);

/** Text of a message's content: plain, or in parts of which some are text. */
function said(content: unknown): string {
  if (!Array.isArray(content)) return asText(content);
  return content
    .map((part) => (isFields(part) && typeof part['text'] === 'string' ? part['text'] : asText(part)))
    .join('\n');
}

function message(value: unknown): Message {
  if (!isFields(value)) return { who: null, role: null, text: asText(value), calls: [] };
  const calls = [
    ...(Array.isArray(value['tool_calls']) ? value['tool_calls'] : []),
    ...(value['function_call'] == null ? [] : [value['function_call']]),
  ];
  const role = word(value['role']);
  const who = word(value['name']) ?? word(value['source']) ?? role;
  return {
    who,
    role: role === who ? null : role,
    text: said(value['content']),
    calls: calls.map((call) => JSON.stringify(call)),
  };
}

/** The conversations of a file; null where it holds none. */
export function conversations(text: string): Talk[] | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (Array.isArray(value)) return [{ with: null, messages: value.map(message) }];
  if (!isFields(value)) return null;
  const talks = Object.entries(value).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  return talks.length === 0 ? null : talks.map(([name, list]) => ({ with: name, messages: list.map(message) }));
}
