import { createSign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Clock } from '@tetrad/types';
import { z } from 'zod';
import { AccessToken, type IssuedToken } from '../access-token.js';
import { requestJson } from '../json-request.js';
import { RemoteKeyError } from '../remote-key-error.js';
import { tokenOf } from '../token-answer.js';
import type { GcpKmsSettings } from './gcp-settings.js';

/** Source: Google Cloud, "About VM metadata", and the token of a service account there */
const METADATA = 'http://metadata.google.internal';
const METADATA_PATH = '/computeMetadata/v1/instance/service-accounts/default/token';
/** Source: Google Identity, "Using OAuth 2.0 for Server to Server Applications" */
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const SCOPE = 'https://www.googleapis.com/auth/cloudkms';
const ASSERTION_SECONDS = 600;

const accountFile = z.object({
  type: z.literal('service_account'),
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  private_key_id: z.string().optional(),
  token_uri: z.url({ protocol: /^https?$/ }),
});

/** The token with which Google Cloud KMS is asked. */
export function gcpToken(settings: GcpKmsSettings, clock: Pick<Clock, 'now'>): AccessToken {
  const { credentialsFile } = settings;
  return new AccessToken(clock, () =>
    credentialsFile === undefined ? askHost(settings) : askAccount(credentialsFile, settings, clock),
  );
}

async function askHost({ metadataUrl = METADATA, timeoutMs }: GcpKmsSettings): Promise<IssuedToken> {
  const where = 'Google Cloud credentials (metadata)';
  const call = { signal: AbortSignal.timeout(timeoutMs), where };
  const headers = { 'metadata-flavor': 'Google' };
  return tokenOf(await requestJson(`${metadataUrl}${METADATA_PATH}`, { headers }, call), where);
}

async function askAccount(
  file: string,
  { timeoutMs }: GcpKmsSettings,
  clock: Pick<Clock, 'now'>,
): Promise<IssuedToken> {
  const where = `Google Cloud credentials (${file})`;
  // Read each time, since it may be replaced.
  const account = await readAccount(file, where);
  const form = new URLSearchParams({ grant_type: GRANT, assertion: assertionOf(account, clock, where) });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const call = { signal: AbortSignal.timeout(timeoutMs), where };
  const init = { method: 'POST' as const, headers, body: form.toString() };
  return tokenOf(await requestJson(account.token_uri, init, call), where);
}

async function readAccount(file: string, where: string): Promise<z.output<typeof accountFile>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new RemoteKeyError('MISSING', `${where}: cannot be read (${error.code})`);
  });
  try {
    return accountFile.parse(JSON.parse(text));
  } catch {
    throw new RemoteKeyError('UNSUPPORTED', `${where}: is not the key of a service account in JSON`);
  }
}

function assertionOf(
  account: z.output<typeof accountFile>,
  clock: Pick<Clock, 'now'>,
  where: string,
): string {
  const { client_email: iss, private_key: privateKey, private_key_id: kid, token_uri: aud } = account;
  const iat = Math.floor(clock.now() / 1_000);
  const claims = { iss, scope: SCOPE, aud, iat, exp: iat + ASSERTION_SECONDS };
  const signed = [{ alg: 'RS256', typ: 'JWT', kid }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  try {
    return `${signed}.${createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url')}`;
  } catch {
    throw new RemoteKeyError('UNSUPPORTED', `${where}: its private key is not an RSA key in PEM`);
  }
}
