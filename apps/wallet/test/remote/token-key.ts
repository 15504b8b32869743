import { readFileSync } from 'node:fs';
import { addressFromPublicKey } from '@tetrad/crypto';
import { Pkcs11Token } from '@tetrad/remote-keys';
import type { SoftHsm } from '@tetrad/testkit';
import { systemClock } from '@tetrad/types';
import { delegatedFromEthAddress, formatCoinAddress, secp256k1Address } from '@tetrad/wallet-key';

/** A key on a token, and its addresses as texts of the main network. */
export interface TokenKey {
  readonly secp256k1: string;
  readonly delegated: string;
  /** As the signer names its files. */
  readonly hex: string;
  /** Of a file that names it. */
  fileText(library?: string): string;
}

/** Makes a key on the token. */
export async function createTokenKey(hsm: SoftHsm, label: string): Promise<TokenKey> {
  const { library, tokenLabel, pinFile } = hsm;
  const token = new Pkcs11Token(
    { library, tokenLabel, pinFile, sessions: 1, timeoutMs: 60_000 },
    { clock: systemClock, readText: async (path) => readFileSync(path, 'utf8') },
  );
  try {
    const publicKey = await token.generate({ label });
    const address = addressFromPublicKey(publicKey);
    const settings = { 'token-label': tokenLabel, 'pin-file': pinFile, 'key-label': label };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
    return {
      secp256k1: formatCoinAddress(secp256k1Address(Uint8Array.of(4, ...publicKey)), 'main'),
      delegated: formatCoinAddress(delegatedFromEthAddress(address), 'main'),
      hex: address.slice(2),
      fileText: (from = library) =>
        [
          '[signing]',
          'type = "pkcs11-signer"',
          `library = ${JSON.stringify(from)}`,
          ...lines,
          'timeout = 60000',
        ].join('\n'),
    };
  } finally {
    token.close();
  }
}
