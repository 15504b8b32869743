import { RetryTimer, firstLine, type BackOff, type Clock } from '@tetrad/types';
import { z } from 'zod';
import { VaultError } from './vault-error.js';
import { FileError, readSmallText } from '@tetrad/files';
import type { VaultAccess } from './vault-access.js';
import { VaultRefusal, callVault, type VaultCall } from './vault-client.js';
import type { VaultConnections } from './vault-connections.js';
import type { VaultRoleLogin } from './vault-login.js';

/** Source: Vault API, "AppRole", "Kubernetes", "JWT/OIDC" (login), and "Token" (renew-self) */
const RENEW = '/v1/auth/token/renew-self';
const PAUSES: BackOff = { firstMs: 1_000, maxMs: 60_000 };
/** A token is renewed when that part of its time is over. */
const RENEWED_AT = 0.5;
/** Timers of Node take no more. */
const MAX_WAIT_MS = 2_147_483_647;

const authAnswer = z.object({
  auth: z.object({
    client_token: z.string().min(1),
    /** Seconds; 0 for tokens that do not expire. */
    lease_duration: z.number().min(0),
    renewable: z.boolean(),
  }),
});

type Auth = z.output<typeof authAnswer>['auth'];

interface HeldToken {
  readonly token: string;
  /** Time of the clock; undefined: never. */
  readonly expiresAt: number | undefined;
}

/**
 * The token that a login gives: asked for with the first secret, and renewed while the process runs, since a login may be permitted
 * once alone (`secret_id_num_uses`). One that is not renewed any more is followed by a login when a secret is needed.
 */
export class VaultSession {
  private held: HeldToken | undefined;
  private asking: Promise<string> | undefined;
  private readonly retry: RetryTimer;
  private cancelRenewal: (() => void) | undefined;
  private isClosed = false;

  constructor(
    private readonly access: VaultAccess,
    private readonly login: VaultRoleLogin,
    private readonly parts: { readonly clock: Clock; readonly connections: VaultConnections },
  ) {
    const { clock } = parts;
    this.retry = new RetryTimer(clock, PAUSES);
  }

  /** @throws VaultError, transient when the vault may take the login later */
  async token(): Promise<string> {
    const { held } = this;
    if (held !== undefined && (held.expiresAt === undefined || this.parts.clock.now() < held.expiresAt))
      return held.token;
    this.asking ??= this.ask().finally(() => (this.asking = undefined));
    return this.asking;
  }

  /** The vault did not accept it. */
  discard(token: string): void {
    if (this.held?.token !== token) return;
    this.held = undefined;
    this.cancel();
  }

  close(): void {
    this.isClosed = true;
    this.cancel();
  }

  private call(call: VaultCall): Promise<unknown> {
    return callVault(this.access, call, this.parts.connections);
  }

  private cancel(): void {
    this.cancelRenewal?.();
    this.cancelRenewal = undefined;
    this.retry.cancel();
  }

  private async ask(): Promise<string> {
    const { mount, method } = this.login;
    const path = `/v1/auth/${mount}/login`;
    const body = await bodyOf(this.login);
    const answer = await this.call({ method: 'POST', path, body }).catch((error: unknown) => {
      if (!(error instanceof VaultRefusal) || error.isTransient) throw error;
      throw new VaultError(`${error.message}: the login by ${method} is not accepted`);
    });
    const auth = authOf(answer, `the login by ${method}`);
    this.take(auth);
    return auth.client_token;
  }

  private take({ client_token: token, lease_duration: seconds, renewable }: Auth): void {
    this.cancel();
    this.retry.succeeded();
    const lifetimeMs = seconds * 1_000;
    this.held = { token, expiresAt: seconds === 0 ? undefined : this.parts.clock.now() + lifetimeMs };
    if (seconds === 0 || !renewable || this.isClosed) return;
    const wait = Math.min(lifetimeMs * RENEWED_AT, MAX_WAIT_MS);
    this.cancelRenewal = this.parts.clock.schedule(wait, () => void this.renew(token));
  }

  private async renew(token: string): Promise<void> {
    try {
      const answer = await this.call({ method: 'POST', path: RENEW, token, body: {} });
      if (this.held?.token === token) this.take(authOf(answer, 'the renewal of the token'));
    } catch (error) {
      // Until it expires; then, or when the vault refuses it, the next secret needs a login.
      const isPassing = error instanceof VaultError && error.isTransient;
      if (this.held?.token === token && isPassing && !this.isClosed)
        this.retry.tryLater(() => void this.renew(token));
    }
  }
}

function authOf(answer: unknown, what: string): Auth {
  const parsed = authAnswer.safeParse(answer);
  if (parsed.success) return parsed.data.auth;
  throw new VaultError(`Vault: its answer to ${what} has no token`);
}

async function bodyOf(login: VaultRoleLogin): Promise<Readonly<Record<string, string>>> {
  if (login.method === 'approle') {
    const { roleId, secretId } = login;
    return {
      role_id: roleId,
      secret_id: 'value' in secretId ? secretId.value : await secretIn(secretId.file),
    };
  }
  return { role: login.role, jwt: await secretIn(login.jwtFile) };
}

/** @throws VaultError, transient: platforms write these files, and write them anew */
async function secretIn(file: string): Promise<string> {
  try {
    const secret = firstLine(await readSmallText(file)).trim();
    if (secret !== '') return secret;
  } catch (error) {
    if (error instanceof FileError) throw new VaultError(error.message, true);
    throw error;
  }
  throw new VaultError(`${file}: is empty`, true);
}
