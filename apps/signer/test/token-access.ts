import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTokenKey, issueToken, tokenPublicKey } from '@tetrad/service';

/** The key of a node's tokens, and a file with a token for a service in front of it. */
export class TokenAccess {
  private constructor(
    private readonly folder: string,
    private readonly key: string,
    /** Allows every method. */
    readonly token: string,
  ) {}

  static async make(): Promise<TokenAccess> {
    const folder = await mkdtemp(join(tmpdir(), 'tetrad-token-access-'));
    const key = createTokenKey();
    const token = await issueToken(key, { caller: 'signer', permissions: ['*'], lifetimeSeconds: 3_600 });
    const access = new TokenAccess(folder, key, token);
    await writeFile(access.keyFile, tokenPublicKey(key));
    await access.write(token);
    return access;
  }

  /** Public key, for the node. */
  get keyFile(): string {
    return join(this.folder, 'tokens.pem');
  }

  get tokenFile(): string {
    return join(this.folder, 'token');
  }

  /** A token for these methods. */
  tokenFor(permissions: readonly string[]): Promise<string> {
    return issueToken(this.key, { caller: 'signer', permissions, lifetimeSeconds: 3_600 });
  }

  /** Replaces the token in the file, as an agent that renews it does. */
  async write(token: string): Promise<void> {
    await writeFile(`${this.tokenFile}.new`, `${token}\n`, { mode: 0o600 });
    await rename(`${this.tokenFile}.new`, this.tokenFile);
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
