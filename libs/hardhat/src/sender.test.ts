import { describe, expect, it } from '@jest/globals';
import type { Address } from 'viem';
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts';
import type { ConfiguredValue, HttpNetwork } from './hardhat-types.js';
import { chooseSender } from './sender.js';

const value = (text: string): ConfiguredValue => ({
  get: async () => text,
  getUrl: async () => text,
  getHexString: async () => text,
});
const KEYS = [`0x${'63'.repeat(32)}`, `0x${'64'.repeat(32)}`] as const;
const [first, second] = KEYS.map((key) => privateKeyToAccount(key)) as [
  ReturnType<typeof privateKeyToAccount>,
  ReturnType<typeof privateKeyToAccount>,
];
const MNEMONIC = 'test test test test test test test test test test test junk';
const OF_NODE: Address = `0x${'0d'.repeat(20)}`;

/** Address of the sender, and whether its key is here. */
async function sender(network: Partial<HttpNetwork>, named?: Parameters<typeof chooseSender>[2]) {
  const whole = { type: 'http', accounts: 'remote', ...network } as HttpNetwork;
  const chosen = await chooseSender(whole, async () => [OF_NODE], named);
  return typeof chosen === 'string' ? [chosen, false] : [chosen.address, typeof chosen.sign === 'function'];
}

describe('the sender of a private contract', () => {
  it('is the first account of the node, or the one that is named', async () => {
    expect(await sender({})).toEqual([OF_NODE, false]);
    expect(await sender({ from: second.address })).toEqual([second.address, false]);
    expect(await sender({ from: second.address }, first.address)).toEqual([first.address, false]);
    expect(await sender({}, first)).toEqual([first.address, true]);
  });

  it('signs here where the configuration has its key', async () => {
    const accounts = KEYS.map(value);
    expect(await sender({ accounts })).toEqual([first.address, true]);
    expect(await sender({ accounts, from: second.address.toLowerCase() })).toEqual([second.address, true]);
    expect(await sender({ accounts }, OF_NODE)).toEqual([OF_NODE, false]);
  });

  it('follows from a mnemonic as in Hardhat', async () => {
    const accounts = {
      mnemonic: value(MNEMONIC),
      passphrase: value(''),
      path: "m/44'/60'/0'/0",
      initialIndex: 3,
    };
    const { address } = mnemonicToAccount(MNEMONIC, { addressIndex: 3 });
    expect(await sender({ accounts })).toEqual([address, true]);
  });

  it('is needed', async () => {
    const network = { type: 'http', accounts: 'remote' } as unknown as HttpNetwork;
    await expect(chooseSender(network, async () => [])).rejects.toThrow('account: is needed');
  });
});
