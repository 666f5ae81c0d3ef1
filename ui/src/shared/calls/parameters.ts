// A tool's parameters as rows, read out of its JSON Schema. What the table leaves out stands in the whole schema.

export interface Parameter {
  name: string;
  required: boolean;
  /** Type, with the values or the range it may take and its default. */
  type: string;
  description: string;
}

export function parametersOf(schema: unknown): Parameter[] {
  const { properties, required } = record(schema);
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(record(properties)).map(([name, property]) => {
    const { type, description, enum: values, minimum, maximum, default: preset } = record(property);
    const parts = [typeof type === 'string' ? type : type === undefined ? 'any' : JSON.stringify(type)];
    if (Array.isArray(values)) parts.push(values.map((value) => JSON.stringify(value)).join(' | '));
    if (minimum !== undefined || maximum !== undefined) parts.push(`${text(minimum)}…${text(maximum)}`);
    if (preset !== undefined) parts.push(`= ${JSON.stringify(preset)}`);
    return {
      name,
      required: needed.includes(name),
      type: parts.join(' '),
      description: typeof description === 'string' ? description : '',
    };
  });
}

const text = (value: unknown) => (value === undefined ? '' : String(value));

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
