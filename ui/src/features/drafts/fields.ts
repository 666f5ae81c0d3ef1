// Which fields a task of each level has, in the order of the form. What is right in them is the engine's to say.
import type { Level } from '../../ipc/gen';

const HEAD = ['task_id', 'instruction', 'task_category'] as const;

export const LEVEL_FIELDS: Record<Level, readonly string[]> = {
  L1: [...HEAD, 'golden_action', 'golden_fields', 'arg_schema', 'resp_schema', 'task_level'],
  L2: [...HEAD, 'available_tools', 'golden_action', 'golden_fields', 'task_level'],
  L3: [...HEAD, 'golden_action', 'data_flow', 'minimum_steps', 'essential_tools', 'golden_fields', 'task_level'],
  L4: [...HEAD, 'golden_action', 'minimum_sources', 'decision', 'golden_fields', 'task_level'],
  L5: [...HEAD, 'golden_action', 'error_injection', 'fallback_options', 'golden_fields', 'task_level'],
  L6: [
    ...HEAD,
    'golden_action',
    'minimum_calls',
    'freshness_threshold',
    'conversation_tracking',
    'golden_fields',
    'task_level',
  ],
  L7: [...HEAD, 'conversation_tracking', 'long_term_tests', 'golden_fields', 'task_level'],
};

export const LEVELS: readonly Level[] = ['L1', 'L2', 'L3', 'L4', 'L5', 'L6', 'L7'];
