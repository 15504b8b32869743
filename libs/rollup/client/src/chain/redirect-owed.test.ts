import { describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { hexFromBytes, parseAddress } from '@tetrad/types';
import { Wallet } from 'ethers/wallet';
import { signRedirection } from './redirect-owed.js';

const contract = parseAddress('0xca843569e3427144cead5e4d5999a3d0ccf92b8e');
const to = parseAddress('0x00000000000000000000000000000000000e1715');
const chainId = 31_337n;
const privateKey = new Uint8Array(32).fill(7);
const uint256 = (name: string) => ({ name, type: 'uint256' });
const address = (name: string) => ({ name, type: 'address' });
const STRUCT = [
  address('recipient'),
  uint256('tokenId'),
  address('to'),
  uint256('nonce'),
  uint256('deadline'),
];

describe('a redirection of what is owed', () => {
  it.each([0n, 1n, 77n])(
    'has the signature that a wallet makes of the struct (EIP-712), nonce %s',
    async (nonce) => {
      const message = {
        recipient: addressFromPrivateKey(privateKey),
        tokenId: 3,
        to,
        nonce,
        deadline: 2_000,
      };
      const wallet = await new Wallet(hexFromBytes(privateKey)).signTypedData(
        { name: 'Tetrad Rollup', version: '3', chainId, verifyingContract: contract },
        { RedirectOwed: STRUCT },
        message,
      );
      expect(signRedirection({ chainId, contract }, message, privateKey)).toBe(wallet);
    },
  );
});
