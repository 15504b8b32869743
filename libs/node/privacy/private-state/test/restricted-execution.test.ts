import { beforeEach, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, keccak256, signDigest } from '@tetrad/crypto';
import { decodeTransaction, type TransactionIntent } from '@tetrad/node-execution';
import { encodeRlp } from '@tetrad/rlp';
import { chainOf, legacyFields, protectedSignature } from '@tetrad/transactions';
import { parsePtmKey, type Address, type Block } from '@tetrad/types';
import {
  decodeRestricted,
  groupContractAddress,
  payloadHash,
  type PayloadHash,
  type PayloadSource,
  type PrivatePayload,
} from '../src/index.js';
import { FollowedChain } from './followed-chain.js';
import { NODE, markedTransaction, markerOf } from './node-transactions.js';
import { CHAIN_ID } from './recorded-chain.js';

const FROM = parsePtmKey('BULeR8JyUWhiuuCMU/HLA0Q5pzkYT+cHII3ZKBey3Bo=');
const TO = parsePtmKey('QfeDAys9MPDs2XHExtc84jKGHxZg/aj52DTh0vtA3Xc=');
const SENDER = Buffer.alloc(32, 0x51);
/** Init code of a contract whose code stores the first word that it is called with: sstore(0, calldataload(0)). */
const STORER = Buffer.from('6006600c60003960066000f3600035600055', 'hex');

/** Init code that runs until its gas is used up. */
const ENDLESS = Buffer.from('5b600056', 'hex');

/** A restricted transaction of the sender. */
function restricted(nonce: bigint, data: Uint8Array, to?: Address, gasLimit = 1_000_000n) {
  const fields = legacyFields({ nonce, gasPrice: 0n, gasLimit, to, value: 0n, data });
  const key = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));
  const privacy = [key(FROM), [key(TO)], new TextEncoder().encode('restricted')];
  const signature = signDigest(keccak256(encodeRlp([...fields, ...chainOf(CHAIN_ID), ...privacy])), SENDER);
  const raw = encodeRlp([...fields, ...protectedSignature(CHAIN_ID, signature), ...privacy]);
  return decodeRestricted(raw, CHAIN_ID);
}

describe('restricted transactions behind markers of a node', () => {
  const payloads = new Map<PayloadHash, PrivatePayload>();
  /** Transactions that were checked, and the rule that forbids some. */
  const asked: TransactionIntent[] = [];
  let isForbidden: (intent: TransactionIntent) => boolean;
  let chain: FollowedChain;
  let height: number;

  beforeEach(() => {
    payloads.clear();
    asked.length = 0;
    isForbidden = () => false;
    height = 0;
    const find: PayloadSource['find'] = async (hash) => {
      const payload = payloads.get(hash);
      return payload === undefined ? { kind: 'notParty' } : { kind: 'payload', payload };
    };
    chain = new FollowedChain('marker', { find }, async (intent) => {
      asked.push(intent);
      return !isForbidden(intent);
    });
  });

  /**
   * Keeps the payload as the managers of all parties do.
   * @returns its hash
   */
  function keep(payload: Uint8Array, sender = FROM): Uint8Array {
    const data = new Uint8Array(64).fill(0x80 + payloads.size);
    const base = { affectedCreations: new Set<PayloadHash>(), managedParties: [TO] };
    payloads.set(payloadHash(data), { ...base, data: payload, privacyFlag: 0, sender });
    return data;
  }

  /** @returns receipts of the transaction, alone in a block */
  const mine = (transaction: ReturnType<typeof restricted>, sender = FROM) =>
    follow(keep(transaction.raw, sender));

  /** @param data - of the marker */
  async function follow(data: Uint8Array) {
    const raw = markerOf(BigInt(height), data);
    const header = { number: ++height, timestamp: BigInt(height), gasLimit: 10n ** 8n };
    const block = {
      header: { ...header, beneficiary: addressFromPrivateKey(NODE) },
      transactions: [decodeTransaction(raw, CHAIN_ID)],
    } as unknown as Block;
    const outcome = await chain.follow(block);
    return outcome.kind === 'executed' ? outcome.results.map(({ receipt }) => receipt) : outcome;
  }

  const create = restricted(0n, STORER);
  const contract = groupContractAddress(create, 0n);
  const set = restricted(1n, new Uint8Array(32).fill(7), contract);

  it('create and call at the nonces of their group, with the contract address of Besu', async () => {
    expect(await mine(create)).toMatchObject([{ status: 1, contractAddress: contract }]);
    const before = chain.roots.privateRoot;
    expect(await mine(set)).toMatchObject([{ status: 1 }]);
    expect(chain.roots.privateRoot).not.toBe(before);
  });

  it('have no effect when they are repeated, out of order, or from another party than they name', async () => {
    await mine(create);
    const { privateRoot } = chain.roots;
    expect(await mine(create)).toEqual([]);
    expect(await mine(restricted(2n, new Uint8Array(32), contract))).toEqual([]);
    expect(await mine(set, TO)).toEqual([]);
    expect(chain.roots.privateRoot).toBe(privateRoot);
    expect(await mine(set)).toMatchObject([{ status: 1 }]);
  });

  it('have no effect and keep their nonce while their sender is not permitted, regardless of the signer of the marker', async () => {
    isForbidden = ({ to }) => to === undefined;
    const { privateRoot } = chain.roots;
    expect(await mine(create)).toEqual([]);
    expect(chain.roots.privateRoot).toBe(privateRoot);
    expect(asked).toMatchObject([{ sender: create.sender, data: create.data }]);
    expect(asked[0]?.to).toBeUndefined();
    isForbidden = ({ to }) => to === contract;
    expect(await mine(create)).toMatchObject([{ status: 1 }]);
    const before = chain.roots.privateRoot;
    expect(await mine(set)).toEqual([]);
    expect(chain.roots.privateRoot).toBe(before);
    isForbidden = () => false;
    expect(await mine(set)).toMatchObject([{ status: 1 }]);
  });

  it('increase the nonce in their group when they fail', async () => {
    expect(await mine(restricted(0n, Uint8Array.of(0xfe)))).toMatchObject([{ status: 0 }]);
    expect(await mine(create)).toEqual([]);
    expect(await mine(restricted(1n, STORER))).toMatchObject([{ status: 1 }]);
  });

  it('have the gas of a block at most, so that none runs for years', async () => {
    const endless = restricted(0n, ENDLESS, undefined, 2n ** 64n - 1n);
    expect(await mine(endless)).toMatchObject([{ status: 0 }]);
    const modest = restricted(1n, STORER, undefined, 2n ** 64n - 1n);
    expect(await mine(modest)).toMatchObject([{ status: 1 }]);
  });

  it('and ordinary private ones behind markers have the gas of a block at most, too', async () => {
    const endless = markedTransaction(BigInt(height), keep(ENDLESS), { gasLimit: 2n ** 64n - 1n });
    expect(await follow(keep(new TextEncoder().encode(endless)))).toMatchObject([{ status: 0 }]);
  });

  it('and ordinary private ones behind markers are permitted by their own fields, not by those of the marker', async () => {
    const marked = () =>
      follow(keep(new TextEncoder().encode(markedTransaction(BigInt(height), keep(STORER)))));
    isForbidden = ({ to }) => to === undefined;
    expect(await marked()).toEqual([]);
    expect(asked).toMatchObject([{ sender: addressFromPrivateKey(NODE) }]);
    isForbidden = () => false;
    expect(await marked()).toMatchObject([{ status: 1 }]);
  });
});
