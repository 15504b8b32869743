import { beforeEach, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, keccak256, signDigest } from '@tetrad/crypto';
import { decodeTransaction } from '@tetrad/node-execution';
import { encodeRlp } from '@tetrad/rlp';
import { chainOf, legacyFields, protectedSignature, signTransaction } from '@tetrad/transactions';
import { parsePtmKey, type Address, type Block } from '@tetrad/types';
import {
  PRIVACY_PRECOMPILE,
  decodeRestricted,
  laneContract,
  payloadHash,
  type PayloadHash,
  type PrivatePayload,
} from '../src/index.js';
import { FollowedChain } from './followed-chain.js';
import { CHAIN_ID } from './recorded-chain.js';

const FROM = parsePtmKey('BULeR8JyUWhiuuCMU/HLA0Q5pzkYT+cHII3ZKBey3Bo=');
const TO = parsePtmKey('QfeDAys9MPDs2XHExtc84jKGHxZg/aj52DTh0vtA3Xc=');
const SENDER = Buffer.alloc(32, 0x51);
const NODE = Buffer.alloc(32, 0x42);
/** Init code of a contract whose code stores the first word that it is called with: sstore(0, calldataload(0)). */
const STORER = Buffer.from('6006600c60003960066000f3600035600055', 'hex');

/** A restricted transaction of the sender. */
function restricted(nonce: bigint, data: Uint8Array, to?: Address) {
  const fields = legacyFields({ nonce, gasPrice: 0n, gasLimit: 1_000_000n, to, value: 0n, data });
  const key = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));
  const privacy = [key(FROM), [key(TO)], new TextEncoder().encode('restricted')];
  const signature = signDigest(keccak256(encodeRlp([...fields, ...chainOf(CHAIN_ID), ...privacy])), SENDER);
  const raw = encodeRlp([...fields, ...protectedSignature(CHAIN_ID, signature), ...privacy]);
  return decodeRestricted(raw, CHAIN_ID);
}

describe('restricted transactions behind markers of a node', () => {
  const payloads = new Map<PayloadHash, PrivatePayload>();
  let chain: FollowedChain;
  let height: number;

  beforeEach(() => {
    payloads.clear();
    height = 0;
    chain = new FollowedChain('marker', {
      find: async (hash) => {
        const payload = payloads.get(hash);
        return payload === undefined ? { kind: 'notParty' } : { kind: 'payload', payload };
      },
    });
  });

  /** Out: what the transaction did, in a block of its own */
  async function mine(transaction: ReturnType<typeof restricted>, sender = FROM) {
    const data = new Uint8Array(64).fill(0x80 + height);
    const base = { affectedCreations: new Set<PayloadHash>(), managedParties: [TO] };
    payloads.set(payloadHash(data), { ...base, data: transaction.raw, privacyFlag: 0, sender });
    const fees = { type: 'legacy', gasPrice: 0n } as const;
    const marker = {
      chainId: CHAIN_ID,
      nonce: BigInt(height),
      to: PRIVACY_PRECOMPILE,
      value: 0n,
      data,
      fees,
    };
    const raw = signTransaction({ ...marker, gasLimit: 30_000n }, NODE);
    const header = { number: ++height, timestamp: BigInt(height), gasLimit: 10n ** 8n };
    const block = {
      header: { ...header, beneficiary: addressFromPrivateKey(NODE) },
      transactions: [decodeTransaction(raw, CHAIN_ID)],
    } as unknown as Block;
    const outcome = await chain.follow(block);
    return outcome.kind === 'executed' ? outcome.results.map(({ receipt }) => receipt) : outcome;
  }

  const create = restricted(0n, STORER);
  const contract = laneContract(create, 0n);
  const set = restricted(1n, new Uint8Array(32).fill(7), contract);

  it('create and call at the nonces of their lane, with the contract where Besu puts it', async () => {
    expect(await mine(create)).toMatchObject([{ status: 1, contractAddress: contract }]);
    const before = chain.roots.privateRoot;
    expect(await mine(set)).toMatchObject([{ status: 1 }]);
    expect(chain.roots.privateRoot).not.toBe(before);
  });

  it('do nothing when they come again, out of turn, or from another party than they say', async () => {
    await mine(create);
    const { privateRoot } = chain.roots;
    expect(await mine(create)).toEqual([]);
    expect(await mine(restricted(2n, new Uint8Array(32), contract))).toEqual([]);
    expect(await mine(set, TO)).toEqual([]);
    expect(chain.roots.privateRoot).toBe(privateRoot);
    expect(await mine(set)).toMatchObject([{ status: 1 }]);
  });

  it('count in their lane when they fail', async () => {
    expect(await mine(restricted(0n, Uint8Array.of(0xfe)))).toMatchObject([{ status: 0 }]);
    expect(await mine(create)).toEqual([]);
    expect(await mine(restricted(1n, STORER))).toMatchObject([{ status: 1 }]);
  });
});
