import { readFileSync } from 'node:fs';
import { addressFromPublicKey } from '@tetrad/crypto';
import { Pkcs11Token } from '@tetrad/remote-keys';
import type { SoftHsm } from '@tetrad/testkit';
import { systemClock, type Address } from '@tetrad/types';

/** A key on a token, and the file that names it. */
export interface TokenAccount {
  readonly address: Address;
  /** 64 bytes x‖y. */
  readonly publicKey: Uint8Array;
  readonly fileName: string;
  /** @param library - in place of the token's own */
  fileText(library?: string, timeoutMs?: number): string;
}

/** Makes a key on the token. */
export async function createTokenAccount(hsm: SoftHsm, label: string): Promise<TokenAccount> {
  const { library, tokenLabel, pinFile } = hsm;
  const token = new Pkcs11Token(
    { library, tokenLabel, pinFile, sessions: 1, timeoutMs: 60_000 },
    { clock: systemClock, readText: async (path) => readFileSync(path, 'utf8') },
  );
  try {
    const publicKey = await token.generate({ label });
    const address = addressFromPublicKey(publicKey);
    return {
      address,
      publicKey,
      fileName: `${address.slice(2)}.toml`,
      fileText: (from = library, timeoutMs = 60_000) =>
        [
          '[signing]',
          'type = "pkcs11-signer"',
          ...Object.entries({
            library: from,
            'token-label': tokenLabel,
            'pin-file': pinFile,
            'key-label': label,
            'public-key': Buffer.from(publicKey).toString('hex'),
          }).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
          `timeout = ${timeoutMs}`,
        ].join('\n'),
    };
  } finally {
    token.close();
  }
}
