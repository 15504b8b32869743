import type { IncomingMessage } from 'node:http';
import { errorAnswer, type AzureAnswer } from './azure-vault.js';

/** The service that gives tokens for a vault, to a client with a secret and to a machine with an identity. */
export class AzureTokens {
  private tokens = new Set<string>();
  private issued = 0;

  constructor(private readonly clientSecret: string) {}

  /** @returns a token or an error; undefined for another request of a caller with a token */
  answer(request: IncomingMessage, path: string, sent: string): AzureAnswer | undefined {
    if (path === '/bank/oauth2/v2.0/token') {
      const form = new URLSearchParams(sent);
      const secret = form.get('client_secret') ?? form.get('client_assertion');
      return this.give(form.get('client_id') === 'signer' && secret === this.clientSecret);
    }
    if (path === '/metadata/identity/oauth2/token') return this.give(request.headers['metadata'] === 'true');
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    return this.tokens.has(token) ? undefined : errorAnswer(401, 'Unauthorized');
  }

  /** Tokens that were given are not accepted any more. */
  withdraw(): void {
    this.tokens = new Set();
  }

  private give(isAccepted: boolean): AzureAnswer {
    if (!isAccepted)
      return { status: 401, body: { error: 'invalid_client', error_description: this.clientSecret } };
    const token = `token-${(this.issued += 1)}`;
    this.tokens.add(token);
    return { status: 200, body: { token_type: 'Bearer', expires_in: 3_599, access_token: token } };
  }
}
