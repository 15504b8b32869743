import { readToken } from './answers.js';
import type { Endpoint } from './endpoint.js';
import { EtcdError } from './etcd-error.js';
import { isTokenRefusal, refusalOf } from './refusals.js';
import type { EtcdCredentials } from './settings.js';

const MAX_TOKEN_BYTES = 16_384;

/**
 * The token that etcd gives for a user and password: one for all endpoints, requested when it is first needed and again
 * when it is refused. It is only sent to the endpoints, and never logged.
 */
export class Session {
  private token: string | undefined;
  /** Set when etcd answers that authentication is not enabled. */
  private isOpen = false;
  private readonly asking = new Map<Endpoint, Promise<string | undefined>>();

  constructor(private readonly credentials: EtcdCredentials | undefined) {}

  /**
   * Runs `use` with a token, and once more with a new one when the token is refused: etcd has executed nothing then.
   * @throws EtcdError denied for a wrong password; as authenticating, which is nothing executed; as `use`
   */
  async authorized<T>(
    endpoint: Endpoint,
    timeLeft: () => number,
    use: (token: string | undefined) => Promise<T>,
  ): Promise<T> {
    if (this.credentials === undefined) return use(undefined);
    const token = await this.current(endpoint, timeLeft());
    try {
      return await use(token);
    } catch (error) {
      if (!isTokenRefusal(error)) throw error;
      this.drop(token);
      return use(await this.current(endpoint, timeLeft()));
    }
  }

  /** Drops a refused token, unless it was replaced since. */
  drop(token: string | undefined): void {
    if (this.token !== token) return;
    this.token = undefined;
    this.isOpen = false;
  }

  async current(endpoint: Endpoint, timeoutMs: number): Promise<string | undefined> {
    if (this.token !== undefined || this.isOpen || this.credentials === undefined) return this.token;
    const known = this.asking.get(endpoint);
    if (known !== undefined) return known;
    const asked = this.authenticate(endpoint, this.credentials, timeoutMs).finally(() =>
      this.asking.delete(endpoint),
    );
    this.asking.set(endpoint, asked);
    return asked;
  }

  private async authenticate(
    endpoint: Endpoint,
    { user, password }: EtcdCredentials,
    timeoutMs: number,
  ): Promise<string | undefined> {
    try {
      const { status, body } = await endpoint.post({
        path: 'auth/authenticate',
        body: JSON.stringify({ name: user, password }),
        token: undefined,
        maxBytes: MAX_TOKEN_BYTES,
        timeoutMs,
      });
      if (status !== 200) throw refusalOf(endpoint.url, status, body);
      this.token = readToken(body, endpoint.url);
    } catch (error) {
      if (!(error instanceof EtcdError)) throw error;
      const { kind, message, refusal, cause } = error;
      this.isOpen = refusal?.includes('authentication is not enabled') === true;
      // The request that needs the token has not been sent.
      if (!this.isOpen) throw new EtcdError(kind, message, { refusal, cause });
    }
    return this.token;
  }
}
