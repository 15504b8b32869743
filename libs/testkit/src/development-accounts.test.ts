import { describe, expect, it } from '@jest/globals';
import { hexFromBytes } from '@tetrad/types';
import { Wallet } from 'ethers';
import { developmentAccounts } from './development-accounts.js';

describe('development accounts', () => {
  it('are the same ones on every host, so that a network can be resumed elsewhere', () => {
    expect(developmentAccounts(2).map(({ address }) => address)).toEqual([
      '0x7742627fef86a3318d8da2f12cde289c24246c56',
      '0x8d19077f292d5e5f194661b2995ebb29e33859f8',
    ]);
  });

  it('have the address that ethers computes from the key', () => {
    for (const { address, privateKey } of developmentAccounts(5)) {
      expect(new Wallet(hexFromBytes(privateKey)).address.toLowerCase()).toBe(address);
    }
  });

  it('do not change when more are asked for, and differ by index and family', () => {
    expect(developmentAccounts(5).slice(0, 2)).toEqual(developmentAccounts(2));
    const all = [...developmentAccounts(20), ...developmentAccounts(20, 'signer')];
    expect(new Set(all.map(({ address }) => address)).size).toBe(40);
  });
});
