import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keccak256, signDigest } from '@tetrad/crypto';
import { until } from '@tetrad/testkit';
import { privateEnvelopeOf } from '@tetrad/transactions';
import { bytesFromHex, hexFromBytes, parseAddress, silentLogger } from '@tetrad/types';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  storeRaw,
  type PrivacyNetwork,
} from '../../privacy-network.js';
import { CHAIN_ID, type RunningNode } from '../../running-node.js';
import { compiled, sendAndMine } from './private-contracts.js';
import { signRestricted } from './restricted-transaction.js';

const GAS = '0x2dc6c0';
const EXTERNAL = Buffer.alloc(32, 0x63);
const [A, B, C] = RECORDED_KEYS.map(({ publicKey }) => publicKey as string) as [string, string, string];
const accumulator = compiled('Accumulator.sol', 'Accumulator');
const INCREMENT = accumulator.interface.encodeFunctionData('inc', [1]);

const warnings: Readonly<Record<string, unknown>>[] = [];
const logger = {
  ...silentLogger,
  child: () => logger,
  warn: (message: string, fields?: Readonly<Record<string, unknown>>) => {
    if (message === 'private transaction leaves out parties of a contract') warnings.push(fields ?? {});
  },
};

let network: PrivacyNetwork;
/** Refuses. */
let first: RunningNode;
/** Warns. */
let second: RunningNode;
/** Of all three parties. */
let contract: string;

beforeAll(async () => {
  network = await startPrivacyNetwork({
    keys: RECORDED_KEYS,
    accounts: recordedAccounts(3),
    flagsOf: (index) => (index === 0 ? ['--refuse-partial-recipients'] : []),
    logger,
  });
  [first, second] = network.nodes as [RunningNode, RunningNode];
  contract = await create(first, accumulator.creation(1), [B, C]);
});
afterAll(() => network?.stop());

async function create(sender: RunningNode, data: string, privateFor: readonly string[]): Promise<string> {
  const { receipts } = await sendAndMine(sender, network.nodes, { data, privateFor });
  return String(receipts[network.nodes.indexOf(sender)]?.contractAddress);
}

const send = (sender: RunningNode, members: object) =>
  sender.call('eth_sendTransaction', [
    { from: sender.accounts[0], gas: GAS, to: contract, data: INCREMENT, ...members },
  ]);

const refusal = (key: string, of = contract) => ({
  error: {
    message: `privateFor leaves out parties of contract ${of}, which allowSubset would permit: ${key}`,
    data: expect.objectContaining({ reason: 'PARTIES_LEFT_OUT' }),
  },
});

describe('a node that refuses partial recipients', () => {
  it('names the party that eth_sendTransaction leaves out', async () => {
    expect(await send(first, { privateFor: [B] })).toMatchObject(refusal(C));
  });

  it('sends to all parties, and to some when the request allows it', async () => {
    for (const members of [{ privateFor: [B, C] }, { privateFor: [B], allowSubset: true }]) {
      const { result } = await send(first, members);
      expect((await first.mined(String(result))).status).toBe('0x1');
    }
  });

  it('names the field of allowSubset when it is no boolean', async () => {
    const { error } = await send(first, { privateFor: [B], allowSubset: 'yes' });
    expect(JSON.stringify(error)).toContain('allowSubset');
  });

  it('does not send in public what allows a subset and names no recipients', async () => {
    const answer = await send(first, { allowSubset: true });
    expect(answer.error?.message).toBe('transaction is not private: privateFor is missing');
  });

  it('looks at contracts that the called contract calls', async () => {
    const stores = { c: compiled('Stores.sol', 'StoreC'), b: compiled('Stores.sol', 'StoreB') };
    const inner = await create(first, stores.c.creation(1), [B, C]);
    const outer = await create(first, stores.b.creation(1, inner), [B]);
    const data = stores.b.interface.encodeFunctionData('setc', [2]);
    expect(await send(first, { to: outer, data, privateFor: [B] })).toMatchObject(refusal(C, inner));
  });

  it('refuses transactions that clients sign, with their payload stored or behind their own marker', async () => {
    const raw = await signStored();
    for (const method of ['eth_sendRawPrivateTransaction', 'eth_distributePrivateTransaction']) {
      expect(await first.call(method, [raw, { privateFor: [B] }])).toMatchObject(refusal(C));
    }
    const allowed = await first.call('eth_sendRawPrivateTransaction', [
      raw,
      { privateFor: [B], allowSubset: true },
    ]);
    expect((await first.mined(String(allowed.result))).status).toBe('0x1');
  });

  it('refuses restricted transactions that name their recipients', async () => {
    const content = { nonce: 0n, chainId: BigInt(CHAIN_ID), data: bytesFromHex(INCREMENT), privateFrom: A };
    const sent = { ...content, to: parseAddress(contract), recipients: [B] };
    const answer = await first.call('eea_sendRawTransaction', [signRestricted(sent, EXTERNAL)]);
    expect(answer).toMatchObject(refusal(C));
  });
});

describe('a node that does not', () => {
  it('sends, and logs the party that is left out', async () => {
    const own = await create(second, accumulator.creation(1), [A, C]);
    const before = warnings.length;
    const { result } = await send(second, { to: own, privateFor: [C] });
    expect((await second.mined(String(result))).status).toBe('0x1');
    await until(() => warnings.length > before);
    expect(warnings.slice(before)).toEqual([{ contract: own, keys: [A], count: 1 }]);
  });

  it('knows of a contract of another party only that party', async () => {
    const before = warnings.length;
    const { result } = await send(second, { privateFor: [A] });
    expect((await second.mined(String(result))).status).toBe('0x1');
    expect(await send(second, { privateFor: [C] })).toHaveProperty('result');
    await until(() => warnings.length > before);
    expect(warnings.slice(before)).toEqual([{ contract, keys: [A], count: 1 }]);
  });
});

/** A call of the contract that is signed elsewhere, over a payload that the manager of the first node keeps. */
async function signStored(): Promise<string> {
  const data = await storeRaw(network.managers[0]!, INCREMENT);
  const to = parseAddress(contract);
  const envelope = privateEnvelopeOf({ nonce: 0n, gasPrice: 0n, gasLimit: BigInt(GAS), to, value: 0n, data });
  return hexFromBytes(envelope.raw(signDigest(keccak256(envelope.preimage()), EXTERNAL)));
}
