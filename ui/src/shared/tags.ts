/** Tags as they are typed: separated by commas, each once. */
export function parseTags(text: string): string[] {
  const tags = text.split(/[,，]/).map((tag) => tag.trim());
  return [...new Set(tags.filter(Boolean))];
}
