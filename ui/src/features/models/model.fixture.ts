// A model of this machine, for tests.
import type { LocalModel } from '../../ipc/gen';

export const MODEL: LocalModel = {
  id: 'local/Qwen/Qwen3-8B',
  name: 'Qwen/Qwen3-8B',
  kind: 'safetensors',
  place: 'hub',
  path: '/cache/models--Qwen--Qwen3-8B/snapshots/01',
  commit: '01',
  commits: 1,
  architecture: 'Qwen3ForCausalLM',
  parameters: 8_190_735_360,
  context: 40_960,
  quantization: null,
  licence: 'apache-2.0',
  bytes: 16_400_000_000,
  conversions: [{ precision: '8bit', bytes: 8_700_000_000 }],
  problem: null,
};
