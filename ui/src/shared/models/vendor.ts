// The vendor of a model, told by a word in its id as the engine tells it (`koab-core/src/judge/family.rs`).

export const VENDORS: readonly (readonly [string, string])[] = [
  ['claude', 'Anthropic'],
  ['gemini', 'Google'],
  ['gemma', 'Google'],
  ['gpt-', 'OpenAI'],
  ['chatgpt', 'OpenAI'],
  ['nova-', 'Amazon'],
  ['grok', 'xAI'],
  ['deepseek', 'DeepSeek'],
  ['qwen', 'Alibaba'],
  ['glm-', 'Z.ai'],
  ['llama', 'Meta'],
  ['mistral', 'Mistral'],
  ['mixtral', 'Mistral'],
  ['kanana', 'Kakao'],
  ['exaone', 'LG'],
  ['hyperclova', 'NAVER'],
];

/** `null` where the id has no word of the table. The name before the first slash is a provider or a connection, no sign. */
export function vendorOf(model: string): string | null {
  const id = model.slice(model.indexOf('/') + 1).toLowerCase();
  return VENDORS.find(([word]) => id.includes(word))?.[1] ?? null;
}

/** The models that are of the same vendor as the judge. */
export function sameVendor(judge: string, judged: readonly string[]): string[] {
  const vendor = vendorOf(judge);
  return vendor === null ? [] : judged.filter((model) => vendorOf(model) === vendor);
}
