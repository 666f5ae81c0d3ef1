// What the variables of providers and services hold, and whose they are.
import type { KeyRow } from '../../ipc/gen';
import { brandOf } from '../../shared/connections/brands';
import { locale } from '../../shared/locale.svelte';

type Held = keyof typeof locale.t.models.held;

/** Those that are not just the one key of their provider. */
const HELD: Record<string, Held> = {
  AWS_ACCESS_KEY_ID: 'accessKeyId',
  AWS_BEARER_TOKEN_BEDROCK: 'bearerToken',
  AWS_REGION: 'regionToo',
  AWS_REGION_NAME: 'region',
  AWS_SECRET_ACCESS_KEY: 'secretAccessKey',
  AWS_SESSION_TOKEN: 'sessionToken',
  AZURE_API_BASE: 'address',
  AZURE_API_VERSION: 'version',
  Directions_Client_ID: 'clientId',
  Directions_Client_Secret: 'clientSecret',
  GOOGLE_APPLICATION_CREDENTIALS: 'credentialsFile',
  HF_TOKEN: 'token',
  HUGGINGFACE_API_KEY: 'tokenToo',
  KIS_APP_KEY: 'appKey',
  KIS_APP_SECRET: 'appSecret',
  KOAB_SIGNING_KEY: 'signingKey',
  LANGFUSE_ENABLED: 'enabled',
  LANGFUSE_PUBLIC_KEY: 'publicKey',
  LANGFUSE_SECRET_KEY: 'secretKey',
  LS_APP_KEY: 'appKey',
  LS_APP_SECRET: 'appSecret',
  NAVER_CLIENT_ID: 'clientId',
  NAVER_CLIENT_SECRET: 'clientSecret',
  OPENROUTER_APP_TITLE: 'appTitle',
  OPENROUTER_APP_URL: 'appUrl',
  OPENROUTER_REFERER: 'referer',
  VERTEXAI_LOCATION: 'location',
  VERTEXAI_PROJECT: 'project',
};

/** In words, what a variable holds. */
export const heldBy = ({ name }: KeyRow): string => locale.t.models.held[HELD[name] ?? 'key'];

/** The name of a provider, a service or a connection for people. */
export function askerName(name: string): string {
  const services: Record<string, string> = locale.t.models.services;
  return services[name] ?? brandOf(name);
}
