// Written by `npm run record`: answers of the engine about a workspace that has a starter pack and nothing else.
import type { Commands } from '../ipc/gen';

export const RECORDED = {
  app_info: {
    version: '0.0.0-fake',
    home: '~/koab',
    language: 'en',
    current_run: null,
  },
  app_about: {
    version: '0.0.0-fake',
    system: 'linux x86_64',
    build: 'release',
    pack_format: 1,
    run_format: 4,
    workspace_format: 21,
  },
  settings_get: {
    settings: {
      language: null,
      theme: 'system',
      concurrency: null,
      judges: [],
      connections: [],
      max_cost_per_day: null,
      max_total_tokens_per_day: null,
      proxy: 'system',
      proxy_address: '',
      otlp_endpoint: '',
      otlp_content: false,
      reviewer: '',
      welcomed: true,
    },
    home: '~/koab',
    home_origin: 'system',
    next_home: null,
    prices_file: '~/koab/prices.json',
    proxy_variables: [],
    offline: {
      on: false,
      kept: false,
      forced: null,
    },
    spent_today_usd: 0,
    spent_today_tokens: 0,
  },
  egress_view: {
    rows: [],
    requests: 0,
    refused: 0,
    since: null,
    left_out: 0,
    unreadable: 0,
    unwritten: 0,
    folder: '~/koab/egress',
  },
  models_list: [
    {
      id: 'baseline/golden',
      kind: 'baseline',
      default_base_url: null,
      needs_base_url: false,
      needs: [],
    },
    {
      id: 'baseline/silent',
      kind: 'baseline',
      default_base_url: null,
      needs_base_url: false,
      needs: [],
    },
    {
      id: 'baseline/random',
      kind: 'baseline',
      default_base_url: null,
      needs_base_url: false,
      needs: [],
    },
    {
      id: 'openai_compat/',
      kind: 'server',
      default_base_url: null,
      needs_base_url: true,
      needs: [],
    },
    {
      id: 'vllm/',
      kind: 'server',
      default_base_url: 'http://localhost:8000/v1',
      needs_base_url: false,
      needs: [],
    },
    {
      id: 'ollama/',
      kind: 'server',
      default_base_url: 'http://localhost:11434/v1',
      needs_base_url: false,
      needs: [],
    },
    {
      id: 'lmstudio/',
      kind: 'server',
      default_base_url: 'http://localhost:1234/v1',
      needs_base_url: false,
      needs: [],
    },
    {
      id: 'llamacpp/',
      kind: 'server',
      default_base_url: 'http://127.0.0.1:8080/v1',
      needs_base_url: false,
      needs: [],
    },
    {
      id: 'openai/',
      kind: 'server',
      default_base_url: 'https://api.openai.com/v1',
      needs_base_url: false,
      needs: [
        {
          any_of: ['OPENAI_API_KEY'],
          present: false,
        },
      ],
    },
    {
      id: 'openrouter/',
      kind: 'server',
      default_base_url: 'https://openrouter.ai/api/v1',
      needs_base_url: false,
      needs: [
        {
          any_of: ['OPENROUTER_API_KEY'],
          present: false,
        },
      ],
    },
    {
      id: 'groq/',
      kind: 'server',
      default_base_url: 'https://api.groq.com/openai/v1',
      needs_base_url: false,
      needs: [
        {
          any_of: ['GROQ_API_KEY'],
          present: false,
        },
      ],
    },
    {
      id: 'huggingface/',
      kind: 'server',
      default_base_url: 'https://router.huggingface.co/v1',
      needs_base_url: false,
      needs: [
        {
          any_of: ['HF_TOKEN', 'HUGGINGFACE_API_KEY'],
          present: false,
        },
      ],
    },
    {
      id: 'anthropic/',
      kind: 'server',
      default_base_url: 'https://api.anthropic.com/v1',
      needs_base_url: false,
      needs: [
        {
          any_of: ['ANTHROPIC_API_KEY'],
          present: false,
        },
      ],
    },
    {
      id: 'azure/',
      kind: 'server',
      default_base_url: null,
      needs_base_url: false,
      needs: [
        {
          any_of: ['AZURE_API_KEY'],
          present: false,
        },
        {
          any_of: ['AZURE_API_BASE'],
          present: false,
        },
      ],
    },
    {
      id: 'gemini/',
      kind: 'server',
      default_base_url: 'https://generativelanguage.googleapis.com/v1beta',
      needs_base_url: false,
      needs: [
        {
          any_of: ['GEMINI_API_KEY'],
          present: false,
        },
      ],
    },
    {
      id: 'vertex_ai/',
      kind: 'server',
      default_base_url: null,
      needs_base_url: false,
      needs: [
        {
          any_of: ['GOOGLE_APPLICATION_CREDENTIALS'],
          present: false,
        },
        {
          any_of: ['VERTEXAI_PROJECT'],
          present: false,
        },
      ],
    },
    {
      id: 'bedrock/',
      kind: 'server',
      default_base_url: null,
      needs_base_url: false,
      needs: [
        {
          any_of: ['AWS_BEARER_TOKEN_BEDROCK', 'AWS_ACCESS_KEY_ID'],
          present: false,
        },
        {
          any_of: ['AWS_BEARER_TOKEN_BEDROCK', 'AWS_SECRET_ACCESS_KEY'],
          present: false,
        },
        {
          any_of: ['AWS_REGION_NAME', 'AWS_REGION'],
          present: false,
        },
      ],
    },
  ],
  snapshots_list: {
    pack: 'starter',
    snapshots: [],
    recorded: 430,
    added: 0,
  },
  snapshots_all: [],
  task_flags: {},
  local_list: {
    models: [],
    pulls: [],
    hub: '~/.cache/huggingface/hub',
    folder: '~/koab/models',
    free: null,
  },
  local_engine: {
    devices: ['auto', 'cpu'],
    tool_forms: ['hermes', 'llama3', 'mistral', 'mistral-args', 'function', 'parameters', 'tools', 'auto'],
  },
  local_trial: null,
  recording_of: null,
  recordings: [],
  pulls_list: [],
  published_list: [],
  workspaces_list: [],
  reports_list: [],
  reports_library: [],
  forks_list: {
    forks: [],
    unreadable: [],
  },
} satisfies { [C in keyof Commands]?: Commands[C]['answer'] };
