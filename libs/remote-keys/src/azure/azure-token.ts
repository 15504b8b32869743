import { FileError, readSmallText } from '@tetrad/files';
import { firstLine, type Clock } from '@tetrad/types';
import { AccessToken, type IssuedToken } from '../access-token.js';
import { RemoteKeyError } from '../remote-key-error.js';
import { requestJson, type JsonAnswer } from '../json-request.js';
import { tokenOf } from '../token-answer.js';
import type { AzureCredentials, AzureVaultSettings } from './azure-settings.js';

const PUBLIC_CLOUD = 'https://login.microsoftonline.com';
/** Instance metadata. Source: Microsoft Learn, "How managed identities for Azure resources work with virtual machines" */
const HOST_METADATA = 'http://169.254.169.254';
const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** The token with which a vault is asked. */
export class AzureToken {
  private readonly access: AccessToken;

  constructor(
    private readonly settings: AzureVaultSettings,
    clock: Pick<Clock, 'now'>,
  ) {
    this.access = new AccessToken(clock, () => this.ask());
  }

  /** @throws RemoteKeyError DENIED when the credentials are not accepted */
  current(): Promise<string> {
    return this.access.current();
  }

  /** The vault did not accept it. */
  discard(token: string): void {
    this.access.discard(token);
  }

  private async ask(): Promise<IssuedToken> {
    const { credentials, timeoutMs } = this.settings;
    const where = `Azure credentials (${credentials.mode})`;
    return tokenOf(await this.request({ signal: AbortSignal.timeout(timeoutMs), where }), where);
  }

  private async request(call: { signal: AbortSignal; where: string }): Promise<JsonAnswer> {
    const { credentials, authorityUrl } = this.settings;
    if (credentials.mode === 'managed-identity') {
      const query = new URLSearchParams({ 'api-version': '2018-02-01', resource: this.audience });
      if (credentials.clientId !== undefined) query.set('client_id', credentials.clientId);
      const url = `${authorityUrl ?? HOST_METADATA}/metadata/identity/oauth2/token?${query.toString()}`;
      return requestJson(url, { headers: { metadata: 'true' } }, call);
    }
    const { tenantId, clientId } = credentials;
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId });
    form.set('scope', `${this.audience}/.default`);
    await addProof(form, credentials, call.where);
    const tenant = encodeURIComponent(tenantId);
    const url = `${authorityUrl ?? PUBLIC_CLOUD}/${tenant}/oauth2/v2.0/token`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return requestJson(url, { method: 'POST', headers, body: form.toString() }, call);
  }

  /** Of the cloud in which the vault is: its name without that of the vault. */
  private get audience(): string {
    const { hostname } = new URL(this.settings.vaultUrl);
    const cloud = hostname.slice(hostname.indexOf('.') + 1);
    const isVault = cloud.startsWith('vault.') || cloud.startsWith('managedhsm.');
    return `https://${isVault ? cloud : 'vault.azure.net'}`;
  }
}

/** @throws RemoteKeyError MISSING */
async function addProof(
  form: URLSearchParams,
  credentials: Exclude<AzureCredentials, { mode: 'managed-identity' }>,
  where: string,
): Promise<void> {
  switch (credentials.mode) {
    case 'client-secret':
      return form.set('client_secret', credentials.clientSecret);
    case 'client-secret-file':
      return form.set('client_secret', await lineIn(credentials.clientSecretFile, where));
    case 'workload-identity':
      form.set('client_assertion_type', ASSERTION);
      form.set('client_assertion', await lineIn(credentials.tokenFile, where));
  }
}

async function lineIn(file: string, where: string): Promise<string> {
  try {
    return firstLine(await readSmallText(file)).trim();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new RemoteKeyError('MISSING', `${where}: ${file} cannot be read (${error.code})`);
  }
}
