import type { Clock } from '@tetrad/types';
import type { VaultAccess } from './vault-access.js';
import { VaultRefusal, createVaultSecret, readVaultSecret, type VaultSecret } from './vault-client.js';
import { VaultConnections } from './vault-connections.js';
import type { VaultLogin } from './vault-login.js';
import { VaultSession } from './vault-session.js';

const NOT_PERMITTED = 403;

/** A secret, and the login with which it is read. */
export type VaultRequest = Omit<VaultSecret, 'token'> & { readonly login: VaultLogin };

/** The vaults of a process: secrets with the same login share its token. */
export class VaultSessions {
  private readonly sessions = new Map<string, VaultSession>();

  private readonly connections: VaultConnections;

  constructor(private readonly clock: Clock) {
    this.connections = new VaultConnections(clock);
  }

  /**
   * The members of a secret. A token that the vault does not accept any more is followed by one login.
   * @throws as `readVaultSecret` and `VaultSession`
   */
  read(request: VaultRequest): Promise<Readonly<Record<string, unknown>>> {
    return this.withToken(request, (secret) => readVaultSecret(secret, this.connections));
  }

  /**
   * Makes a secret with these members.
   * @throws as `createVaultSecret` and `VaultSession`
   */
  create(request: VaultRequest, data: Readonly<Record<string, string>>): Promise<void> {
    return this.withToken(request, (secret) => createVaultSecret(secret, data, this.connections));
  }

  close(): void {
    for (const session of this.sessions.values()) session.close();
    this.connections.close();
  }

  private async withToken<Result>(
    { login, ...secret }: VaultRequest,
    call: (secret: VaultSecret) => Promise<Result>,
  ): Promise<Result> {
    if (login.method === 'token') return call({ ...secret, token: login.token });
    const { host, port, namespace, timeoutMs, trust, certificate } = secret;
    const session = this.session({ host, port, namespace, timeoutMs, trust, certificate }, login);
    const token = await session.token();
    try {
      return await call({ ...secret, token });
    } catch (error) {
      if (!(error instanceof VaultRefusal) || error.status !== NOT_PERMITTED) throw error;
      session.discard(token);
      return call({ ...secret, token: await session.token() });
    }
  }

  private session(access: VaultAccess, login: Exclude<VaultLogin, { method: 'token' }>): VaultSession {
    const identity = JSON.stringify([access, login]);
    const { clock, connections } = this;
    const open = this.sessions.get(identity) ?? new VaultSession(access, login, { clock, connections });
    this.sessions.set(identity, open);
    return open;
  }
}
