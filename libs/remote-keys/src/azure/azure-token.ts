import { readFile } from 'node:fs/promises';
import type { Clock } from '@tetrad/types';
import { z } from 'zod';
import { RemoteKeyError } from '../remote-key-error.js';
import { requestJson, type AzureAnswer } from './azure-request.js';
import type { AzureVaultSettings } from './azure-settings.js';

const PUBLIC_CLOUD = 'https://login.microsoftonline.com';
/** Instance metadata. Source: Microsoft Learn, "How managed identities for Azure resources work with virtual machines" */
const HOST_METADATA = 'http://169.254.169.254';
/** A token is asked for again that long before it expires. */
const RENEW_BEFORE_MS = 300_000;
const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** The host gives the number as text. */
const answer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });

interface HeldToken {
  readonly token: string;
  readonly renewAt: number;
}

/** The token with which a vault is asked; one request for it at a time, before it expires. */
export class AzureToken {
  private held: HeldToken | undefined;
  private asking: Promise<HeldToken> | undefined;

  constructor(
    private readonly settings: AzureVaultSettings,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** Fails: RemoteKeyError DENIED when the credentials are not accepted */
  async current(): Promise<string> {
    if (this.held !== undefined && this.clock.now() < this.held.renewAt) return this.held.token;
    this.asking ??= this.ask().finally(() => (this.asking = undefined));
    this.held = await this.asking;
    return this.held.token;
  }

  /** The vault did not accept it. */
  discard(token: string): void {
    if (this.held?.token === token) this.held = undefined;
  }

  private async ask(): Promise<HeldToken> {
    const { credentials, timeoutMs } = this.settings;
    const { mode } = credentials;
    // Not the caller's, who is not the only one that waits for it.
    const signal = AbortSignal.timeout(timeoutMs);
    const where = `Azure credentials (${mode})`;
    const { status, body } = await this.request({ signal, where });
    if (status === 429) throw new RemoteKeyError('THROTTLED', `${where}: HTTP 429`);
    if (status >= 500) throw new RemoteKeyError('FAILED', `${where}: HTTP ${status}`);
    if (status !== 200) throw new RemoteKeyError('DENIED', `${where}: not accepted (HTTP ${status})`);
    const parsed = answer.safeParse(body);
    if (!parsed.success) throw new RemoteKeyError('FAILED', `${where}: the answer has no token`);
    const { access_token: token, expires_in: seconds } = parsed.data;
    const lifetimeMs = seconds * 1_000;
    // Half of it for tokens that live shorter than that.
    const renewAt = this.clock.now() + lifetimeMs - Math.min(RENEW_BEFORE_MS, lifetimeMs / 2);
    return { token, renewAt };
  }

  private async request(call: { signal: AbortSignal; where: string }): Promise<AzureAnswer> {
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
    if (credentials.mode === 'client-secret') form.set('client_secret', credentials.clientSecret);
    else {
      form.set('client_assertion_type', ASSERTION);
      form.set('client_assertion', await readAssertion(credentials.tokenFile, call.where));
    }
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

async function readAssertion(file: string, where: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new RemoteKeyError('MISSING', `${where}: ${file} cannot be read (${code})`);
  }
}
