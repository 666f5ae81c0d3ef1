// JSON whose numbers stay as they were written and whose fields stay in their order. To a cache key `127.0` is not `127`, and
// `JSON.parse` knows only one of them.

/** A number as it stands in the text. */
export class Num {
  constructor(readonly text: string) {}
}

export type Fields = Map<string, Json>;
export type Json = null | boolean | string | Num | Json[] | Fields;

/** Steps into a value: names of fields and positions in lists. */
export type Path = readonly (string | number)[];

const TOKEN =
  /[ \t\n\r]*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null))/y;

/** Reads a text; `undefined` where it is not JSON. What is wrong with it is the engine's to say. */
export function parse(text: string): Json | undefined {
  let at = 0;
  const next = (): RegExpExecArray | null => {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (found) at = TOKEN.lastIndex;
    return found;
  };

  function value(token: RegExpExecArray | null): Json | undefined {
    if (!token) return undefined;
    const [, mark, string, number, word] = token;
    if (string !== undefined) return JSON.parse(string) as string;
    if (number !== undefined) return new Num(number);
    if (word !== undefined) return word === 'null' ? null : word === 'true';
    return mark === '[' ? list() : mark === '{' ? fields() : undefined;
  }

  function list(): Json[] | undefined {
    const items: Json[] = [];
    let token = next();
    if (token?.[1] === ']') return items;
    for (;;) {
      const item = value(token);
      if (item === undefined) return undefined;
      items.push(item);
      const mark = next()?.[1];
      if (mark === ']') return items;
      if (mark !== ',') return undefined;
      token = next();
    }
  }

  function fields(): Fields | undefined {
    const found: Fields = new Map();
    let token = next();
    if (token?.[1] === '}') return found;
    for (;;) {
      if (token?.[2] === undefined || next()?.[1] !== ':') return undefined;
      const field = value(next());
      if (field === undefined) return undefined;
      found.set(JSON.parse(token[2]) as string, field);
      const mark = next()?.[1];
      if (mark === '}') return found;
      if (mark !== ',') return undefined;
      token = next();
    }
  }

  const whole = value(next());
  return text.slice(at).trim() === '' ? whole : undefined;
}

/** The text of a value: two spaces a level, or all on one line. */
export function write(value: Json, pretty = true, depth = 0): string {
  const line = (by: number) => (pretty ? `\n${'  '.repeat(depth + by)}` : '');
  const joined = (parts: string[], open: string, close: string) =>
    parts.length === 0 ? open + close : open + line(1) + parts.join(`,${pretty ? line(1) : ' '}`) + line(0) + close;
  if (value instanceof Num) return value.text;
  if (Array.isArray(value))
    return joined(
      value.map((item) => write(item, pretty, depth + 1)),
      '[',
      ']',
    );
  if (value instanceof Map) {
    const part = ([name, field]: [string, Json]) => `${JSON.stringify(name)}: ${write(field, pretty, depth + 1)}`;
    return joined([...value].map(part), '{', '}');
  }
  return JSON.stringify(value);
}

/** What stands at a path; `undefined` where nothing does. */
export function at(value: Json | undefined, path: Path): Json | undefined {
  let found = value;
  for (const step of path) {
    if (found instanceof Map && typeof step === 'string') found = found.get(step);
    else if (Array.isArray(found) && typeof step === 'number') found = found[step];
    else return undefined;
  }
  return found;
}

/** The value with something else at a path; `undefined` takes what is there away. What is on the way and missing is made. */
export function put(value: Json | undefined, path: Path, replacement: Json | undefined): Json {
  const [step, ...rest] = path;
  if (step === undefined) return replacement ?? null;
  if (typeof step === 'number') {
    const items = Array.isArray(value) ? [...value] : [];
    if (rest.length === 0 && replacement === undefined) items.splice(step, 1);
    else items[step] = put(items[step], rest, replacement);
    return items;
  }
  const fields: Fields = new Map(value instanceof Map ? value : []);
  if (rest.length === 0 && replacement === undefined) fields.delete(step);
  else fields.set(step, put(fields.get(step), rest, replacement));
  return fields;
}

/** A path as the engine writes it: `golden_action[1].args.size`. */
export function placeOf(path: Path): string {
  return path.map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`)).join('');
}

/** The last field that a path names. */
export const nameAt = (path: Path): string | undefined =>
  path.findLast((step): step is string => typeof step === 'string');

export const textOf = (value: Json | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : write(value, false);

export const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

export const fieldsOf = (value: Json | undefined): Fields => (value instanceof Map ? value : new Map());

/** What a text in a field of this type means: texts stay texts, all else is JSON where it can be read. */
export function meant(text: string, type: string | null): Json {
  if (type === 'string') return text;
  const value = parse(text);
  return value === undefined ? text : value;
}

/** A tool's parameter, as far as a form needs it. */
export interface Parameter {
  name: string;
  type: string | null;
  required: boolean;
  description: string;
}

export function parametersIn(schema: Json | undefined): Parameter[] {
  const required = listOf(at(schema, ['required']));
  return [...fieldsOf(at(schema, ['properties']))].map(([name, property]) => {
    const type = at(property, ['type']);
    return {
      name,
      type: typeof type === 'string' ? type : null,
      required: required.includes(name),
      description: textOf(at(property, ['description'])),
    };
  });
}
