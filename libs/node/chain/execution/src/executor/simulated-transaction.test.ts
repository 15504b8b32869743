import { beforeAll, describe, expect, it } from '@jest/globals';
import { parseAddress, type Address } from '@tetrad/types';
import { getCreateAddress } from 'ethers/address';
import { Chain, OWNER, transfer } from '../testing/chain.js';
import { ETHER_ADDRESS, simulateTransaction } from './simulated-transaction.js';

const at = (byte: string) => parseAddress(`0x${byte.repeat(20)}`);
const [HEIR, OUTER, SENDS, FAILS, DESTROYS] = ['aa', 'e0', 'e1', 'e2', 'e3'].map(at) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
const IDENTITY = parseAddress(`0x${'4'.padStart(40, '0')}`);

/** PUSH0 four times; value; address; 50,000 gas; CALL; POP. */
const callTo = (address: Address, value: number) =>
  `5f5f5f5f60${value.toString(16).padStart(2, '0')}73${address.slice(2)}61c350f150`;

const alloc = {
  [OUTER]: {
    nonce: '0x1',
    balance: '0x64',
    // Ends with CREATE of no code, with 5 wei.
    code: `0x${callTo(SENDS, 2)}${callTo(FAILS, 3)}${callTo(DESTROYS, 0)}${callTo(IDENTITY, 1)}5f5f6005f000`,
  },
  [SENDS]: { code: `0x${callTo(HEIR, 1)}00` },
  [FAILS]: { code: `0x${callTo(HEIR, 1)}fe` },
  [DESTROYS]: { balance: '0x7', code: `0x73${HEIR.slice(2)}ff` },
};

describe('simulateTransaction', () => {
  let chain: Chain;

  beforeAll(async () => {
    chain = await Chain.start({ alloc });
  });

  const run = (options: Parameters<typeof simulateTransaction>[2], changes: object = {}) =>
    simulateTransaction(
      chain.simulation(),
      { ...transfer({ to: OUTER, value: 9n, gasLimit: 1_000_000n }), ...changes },
      options,
    );

  it('logs every transfer of ether in order, except those of failed frames', async () => {
    const { status, logs } = await run({ validation: true, traceTransfers: true });
    expect(status).toBe(1);
    expect(new Set(logs.map(({ address }) => address))).toEqual(new Set([ETHER_ADDRESS]));
    const party = (topic: string | undefined) => `0x${topic?.slice(-40)}`;
    const created = getCreateAddress({ from: OUTER, nonce: 1 }).toLowerCase();
    expect(logs.map(({ topics, data }) => [party(topics[1]), party(topics[2]), data.at(-1)])).toEqual([
      [OWNER.address, OUTER, 9],
      [OUTER, SENDS, 2],
      [SENDS, HEIR, 1],
      [DESTROYS, HEIR, 7],
      [OUTER, IDENTITY, 1],
      [OUTER, created, 5],
    ]);
  });

  it('logs no transfers unless requested, with the same effects', async () => {
    const plain = await run({ validation: true, traceTransfers: false });
    const traced = await run({ validation: true, traceTransfers: true });
    expect(plain.logs).toEqual([]);
    expect({ ...traced, logs: [] }).toEqual(plain);
  });

  it.each<[string, string, object]>([
    ['a nonce that is not next', 'NONCE_TOO_HIGH', { nonce: 5n }],
    ['a sender with code', 'SENDER_NOT_EOA', { sender: OUTER }],
    ['more gas than a transaction may have', 'GAS_LIMIT_EXCEEDED', { gasLimit: 16_777_217n }],
    ['no fee where there is a base fee', 'FEE_CAP_TOO_LOW', {}],
  ])('takes %s only without validation', async (_what, reason, changes) => {
    chain.block = { ...chain.block, baseFeePerGas: 'sender' in changes ? 0n : 2n, gasLimit: 2n ** 30n };
    const priced = reason === 'FEE_CAP_TOO_LOW' ? changes : { gasPrice: 2n, ...changes };
    const wanted = 'sender' in changes ? { ...changes, nonce: 1n, to: HEIR } : priced;
    await expect(run({ validation: true, traceTransfers: false }, wanted)).rejects.toMatchObject({
      code: reason,
    });
    const { status } = await run({ validation: false, traceTransfers: false }, wanted);
    expect(status).toBe(1);
  });

  it('derives the address of a creation from the nonce of the account, not of the transaction', async () => {
    const creation = { to: undefined, data: Uint8Array.of(0x00), nonce: 7n };
    const { contractAddress } = await run({ validation: false, traceTransfers: false }, creation);
    expect(contractAddress).toBe(getCreateAddress({ from: OWNER.address, nonce: 0 }).toLowerCase());
  });
});
