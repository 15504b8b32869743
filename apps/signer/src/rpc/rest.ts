import type { signerRestMethods } from '@tetrad/api-signer';
import { keccak256 } from '@tetrad/crypto';
import type { Handlers } from '@tetrad/rpc';
import { byPublicKey, type RequestSigner } from '@tetrad/signer-transactions';
import { encodeV } from './encode-v.js';

/** What the routes of web3signer are answered with. */
export interface RestParts {
  readonly signer: RequestSigner;
  /** Of 64 bytes each. */
  readonly publicKeys: () => readonly Uint8Array[];
}

/** What the routes of web3signer do. */
export function restHandlers({ signer, publicKeys }: RestParts): Handlers<typeof signerRestMethods> {
  return {
    eth1_publicKeys: () => [...publicKeys()],
    async eth1_sign([identifier, data], { subject }) {
      const asker = { caller: subject, method: 'eth1_sign' };
      return encodeV(await signer.signDigest(asker, byPublicKey(identifier), keccak256(data)));
    },
  };
}
