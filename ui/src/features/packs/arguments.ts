// Arguments written in fields, as the JSON text that a model would write.

/** Empty fields are not given. A text that is not a number stays a text, so that the engine can say what is wrong. */
export function argumentsText(schema: unknown, fields: Record<string, string>): string {
  const given = Object.entries(fields).filter(([, text]) => text !== '');
  return JSON.stringify(Object.fromEntries(given.map(([name, text]) => [name, valueOf(typeIn(schema, name), text)])));
}

function valueOf(type: unknown, text: string): unknown {
  if (type === 'string') return text;
  try {
    const value: unknown = JSON.parse(text);
    return type === undefined || value !== null ? value : text;
  } catch {
    return text;
  }
}

function typeIn(schema: unknown, name: string): unknown {
  const properties = (schema as { properties?: Record<string, { type?: unknown }> } | null)?.properties;
  return properties?.[name]?.type;
}
