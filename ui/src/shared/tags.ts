/** Every tag of these rows once, in order. */
export const tagsAmong = (rows: readonly { tags: readonly string[] }[]): string[] =>
  [...new Set(rows.flatMap(({ tags }) => tags))].sort((one, other) => one.localeCompare(other));

/** Tags as they are typed: separated by commas, each once. */
export function parseTags(text: string): string[] {
  const tags = text.split(/[,，]/).map((tag) => tag.trim());
  return [...new Set(tags.filter(Boolean))];
}
