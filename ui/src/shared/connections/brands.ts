// Providers under the names that their makers give them.
import { locale } from '../locale.svelte';
import { ANY_SERVER } from './draft.svelte';

const BRANDS: Record<string, string> = {
  anthropic: 'Anthropic',
  azure: 'Azure OpenAI',
  bedrock: 'Amazon Bedrock',
  gemini: 'Google Gemini',
  groq: 'Groq',
  huggingface: 'Hugging Face',
  llamacpp: 'llama.cpp',
  lmstudio: 'LM Studio',
  ollama: 'Ollama',
  openai: 'OpenAI',
  openrouter: 'OpenRouter',
  vertex_ai: 'Google Vertex AI',
  vllm: 'vLLM',
};

/** Hosts that are known to speak Chat Completions. */
const HOSTS: Record<string, string> = {
  'api.cerebras.ai': 'Cerebras',
  'api.deepseek.com': 'DeepSeek',
  'api.fireworks.ai': 'Fireworks AI',
  'api.friendli.ai': 'FriendliAI',
  'api.mistral.ai': 'Mistral',
  'api.moonshot.ai': 'Moonshot AI',
  'api.perplexity.ai': 'Perplexity',
  'api.together.xyz': 'Together AI',
  'api.upstage.ai': 'Upstage',
  'api.x.ai': 'xAI',
  'clovastudio.stream.ntruss.com': 'NAVER CLOVA Studio',
  'dashscope.aliyuncs.com': 'Alibaba Cloud',
};

/** The maker's name of a provider; of a server that any protocol-alike can be, that of its host where it is known. */
export function brandOf(provider: string, address: string | null = null): string {
  if (provider !== ANY_SERVER) return BRANDS[provider] ?? provider;
  const host = address !== null && URL.canParse(address) ? new URL(address).hostname : '';
  return HOSTS[host] ?? locale.t.connections.anyServer;
}
