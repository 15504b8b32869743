import { describe, expect, it } from '@jest/globals';
import { signingKeyOf } from '@tetrad/crypto';
import { envelopeOf } from '@tetrad/transactions';
import { ZERO_ADDRESS } from '@tetrad/types';
import { createMarkerSigner } from './marker-signer.js';

const NODE_KEY = new Uint8Array(32).fill(7);

describe('the signer of markers', () => {
  it('signs for the chain, as the account of the node key', async () => {
    const signer = createMarkerSigner(signingKeyOf(NODE_KEY), 1337n);
    const marker = await signer.sign(
      envelopeOf({
        chainId: signer.chainId,
        nonce: 3n,
        gasLimit: 30_000n,
        to: ZERO_ADDRESS,
        value: 0n,
        data: new Uint8Array(64),
        fees: { type: 'legacy', gasPrice: 0n },
      }),
    );
    expect(marker).toMatchObject({ sender: signer.address, chainId: 1337n, nonce: 3n });
  });

  it('is another account with another key', () => {
    const other = createMarkerSigner(signingKeyOf(new Uint8Array(32).fill(8)), 1337n);
    expect(other.address).not.toBe(createMarkerSigner(signingKeyOf(NODE_KEY), 1337n).address);
  });
});
