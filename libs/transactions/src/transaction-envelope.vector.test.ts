import { expect, it } from '@jest/globals';
import { bytesFromHex, hexFromBytes, parseAddress } from '@tetrad/types';
import { signTransaction } from './transaction-envelope.js';

// Source: EIP-155, "Example": key 0x46…46, nonce 9, 20 gwei, 21000 gas, 1 ether to 0x35…35, chain id 1.
it('signs the example of EIP-155 as published', () => {
  const signed = signTransaction(
    {
      chainId: 1n,
      nonce: 9n,
      gasLimit: 21000n,
      to: parseAddress('0x3535353535353535353535353535353535353535'),
      value: 10n ** 18n,
      data: new Uint8Array(0),
      fees: { type: 'legacy', gasPrice: 20n * 10n ** 9n },
    },
    bytesFromHex(`0x${'46'.repeat(32)}`),
  );
  expect(hexFromBytes(signed)).toBe(
    '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83',
  );
});
