import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { hashHeader } from '@tetrad/node-consensus-bft';
import type { Genesis, StateWitness } from '@tetrad/node-execution';
import type { Address, Block, SealedHeader } from '@tetrad/types';
import { HeaderChain, serveValidators, type KnownHeader } from '../src/index.js';
import { testGenesis, transfer, type TestLedger } from './open-test-ledger.js';
import { nextBlock, sealHeader, type NextBlock } from './seal-block.js';
import { TestLedgers, blocksOf } from './test-ledgers.js';

/** Keys of A, B, C, D and E. */
const KEYS = [1, 2, 3, 4, 5].map((scalar) => Buffer.alloc(32, scalar));
const [A, B, C, D, E] = KEYS as [Buffer, Buffer, Buffer, Buffer, Buffer];
const FOUR = [A, B, C, D];
const addressesOf = (keys: readonly Uint8Array[]): Address[] => keys.map(addressFromPrivateKey).sort();
const vote = (isAdd: boolean, key = E) => ({ vote: { recipient: addressFromPrivateKey(key), isAdd } });

const ledgers = new TestLedgers();
let chain: TestLedger;
beforeEach(() => ledgers.begin());
afterEach(() => ledgers.end());

type Changes = NonNullable<Parameters<typeof testGenesis>[0]>;

const genesisOf = (changes: Changes = {}) =>
  testGenesis({ blockPeriodMs: 1000, validatorKeys: FOUR, ...changes });

async function openChain(genesis: Genesis): Promise<void> {
  chain = await ledgers.open(ledgers.url, { genesis });
}

/** Appends a block; three of four seal it when nothing else is said. */
async function append(proposerKey: Uint8Array, next: Partial<NextBlock> = {}): Promise<Block> {
  const block = await nextBlock(chain, { proposerKey, keys: [A, B, C], ...next });
  await chain.ledger.importBlock(block);
  return block;
}

/** A node that has block 0 only. */
async function joining({ witness }: { witness?: (number: number) => Promise<StateWitness> } = {}) {
  const follower = await ledgers.open(await ledgers.freshUrl(), { genesis: chain.ledger.genesis });
  const asked: number[] = [];
  const served = async (number: number) => {
    const found = await serveValidators(chain, chain.store, number);
    if (found === undefined) throw new Error(`nothing shows the validators after block ${number}`);
    return found;
  };
  const headers = new HeaderChain(follower, {
    witness: (number) => {
      asked.push(number);
      return (witness ?? served)(number);
    },
    findHash: async (number) => (await follower.ledger.findBlock(number))?.hash,
  });
  const start: KnownHeader = { block: follower.ledger.head(), snapshot: follower.ledger.snapshot() };
  return { headers, start, asked };
}

const snapshots = (from = 1) =>
  Promise.all(
    Array.from({ length: chain.ledger.head().header.number - from + 1 }, (_, index) =>
      chain.ledger.snapshotAt(from + index),
    ),
  );

describe.each(['qbft', 'ibft'] as const)('headers of the %s format', (engine) => {
  it('are verified along votes that add and remove a validator, as execution finds it', async () => {
    await openChain(genesisOf({ engine }));
    for (const key of [A, B, C]) await append(key, vote(true));
    await append(E, { keys: [B, C, D, E] });
    for (const key of [A, B, E]) await append(key, { keys: [B, C, D, E], ...vote(false) });
    await append(D);
    const { headers, start, asked } = await joining();
    const blocks = await blocksOf(chain);
    const first = await headers.verify(blocks.slice(0, 3), start);
    const rest = await headers.verify(blocks.slice(3), first.at(-1) as KnownHeader);
    expect([...first, ...rest].map(({ snapshot }) => snapshot)).toEqual(await snapshots());
    expect(asked).toEqual([]);
  });

  it('are verified through an epoch that ends open votes', async () => {
    await openChain(genesisOf({ engine, consensus: { epochlength: 3 } }));
    for (const key of [A, B, D]) await append(key, vote(true));
    await append(C);
    const { headers, start } = await joining();
    const known = await headers.verify(await blocksOf(chain), start);
    expect(known.map(({ snapshot }) => snapshot)).toEqual(await snapshots());
    expect(known.at(-1)?.snapshot.validators).toEqual(addressesOf(FOUR));
  });

  it('are refused where removed validators have sealed them', async () => {
    await openChain(genesisOf({ engine }));
    for (const key of [A, B, C]) await append(key, vote(false, D));
    const removed = addressesOf([A, B, C]);
    expect(chain.ledger.snapshot().validators).toEqual(removed);
    const fork = await nextBlock(chain, { proposerKey: A, keys: [A, B, D] });
    const { headers, start } = await joining();
    await expect(headers.verify([...(await blocksOf(chain)), fork], start)).rejects.toThrow(
      'invalid committed seals',
    );
  });

  it('are refused with a forged change of validators', async () => {
    await openChain(genesisOf({ engine }));
    const [one, two, three] = [await append(A), await append(B), await append(C)];
    const strangers = [6, 7, 8].map((scalar) => Buffer.alloc(32, scalar));
    const forge = ({ header }: Block): SealedHeader => {
      const proposed = { ...header, beneficiary: addressFromPrivateKey(strangers[0] as Buffer) };
      const forged = sealHeader({
        format: engine,
        header: proposed,
        validators: addressesOf(FOUR),
        proposerKey: strangers[0] as Buffer,
        keys: strangers,
        ...vote(true, strangers[0]),
      });
      return { header: forged, hash: hashHeader(forged) };
    };
    const { headers, start } = await joining();
    await expect(headers.verify([forge(one)], start)).rejects.toThrow('unauthorized');
    await expect(
      headers.verify([one, two, { ...three, header: { ...three.header, gasUsed: 7n } }], start),
    ).rejects.toThrow('invalid block hash');
    await expect(headers.verify([one, three], start)).rejects.toThrow('unknown ancestor');
  });
});

it('headers are verified through transitions of format and set', async () => {
  const replaced = addressesOf([A, B, E]);
  const transitions = [
    { block: 2, validators: replaced },
    { block: 3, algorithm: 'qbft' },
  ];
  await openChain(genesisOf({ engine: 'ibft', transitions }));
  await append(A);
  await append(D);
  await append(E, { keys: [A, B] });
  const { headers, start } = await joining();
  const known = await headers.verify(await blocksOf(chain), start);
  expect(known.map(({ snapshot }) => snapshot)).toEqual(await snapshots());
});

describe('headers of a chain with a validator contract', () => {
  const contract = `0x${'c0'.repeat(20)}` as Address;
  const byte = (value: number) => value.toString(16).padStart(2, '0');
  const word = (value: string) => Buffer.from(value.padStart(64, '0'), 'hex');
  /** Answers a call with the values of slots 0 to 4; one with 64 bytes stores the second word in the slot of the first. */
  const CODE =
    `36604014602a57${[0, 1, 2, 3, 4].map((slot) => `60${byte(slot)}5460${byte(slot * 32)}52`).join('')}60a06000f3` +
    '5b6020356000355500';

  function contractGenesis(changes: Changes = {}): Genesis {
    const genesis = genesisOf({
      ...changes,
      consensus: { validatorselectionmode: 'contract', validatorcontractaddress: contract },
    });
    const words = ['20', '3', ...[A, B, C].map((key) => addressFromPrivateKey(key).slice(2))];
    const storage = words.map((value, slot) => ({ slot: word(byte(slot)), value: word(value) }));
    const account = { address: contract, balance: 0n, nonce: 1n, code: Buffer.from(CODE, 'hex'), storage };
    return { ...genesis, alloc: [...genesis.alloc, account] };
  }

  /** Replaces C by E. */
  const replacing = () => {
    const data = Buffer.concat([word('4'), word(addressFromPrivateKey(E).slice(2))]);
    return [transfer(0, 0, { to: contract, data, gas: 100_000n, value: 0n })];
  };

  /** Three blocks of A, B and C, of which the third replaces C, and three of A, B and E. */
  async function growContractChain(): Promise<void> {
    for (const key of [A, B]) await append(key);
    await append(C, { transactions: replacing() });
    for (const key of [E, A, B]) await append(key, { keys: [A, B, E] });
  }

  it('are verified with a witness where the set changed, and at the end', async () => {
    await openChain(contractGenesis());
    await growContractChain();
    expect(chain.ledger.snapshot().validators).toEqual(addressesOf([A, B, E]));
    const { headers, start, asked } = await joining();
    const known = await headers.verify(await blocksOf(chain), start);
    expect(asked).toEqual([3]);
    const last = await headers.settle(known.at(-1) as KnownHeader, known);
    expect(asked).toEqual([3, 6]);
    expect(last.snapshot).toEqual(chain.ledger.snapshot());
  });

  it('are refused of validators that the contract no longer names', async () => {
    await openChain(contractGenesis());
    await growContractChain();
    const fork = await nextBlock(chain, { proposerKey: A, keys: [A, B, C] });
    const { headers, start } = await joining();
    await expect(headers.verify([...(await blocksOf(chain)), fork], start)).rejects.toThrow(
      'invalid committed seals',
    );
  });

  it.each<[string, (witness: StateWitness, earlier: StateWitness) => StateWitness]>([
    ['of an earlier block', (_, earlier) => earlier],
    ['without anything', () => ({ nodes: [], codes: [] })],
    ['without its codes', ({ nodes }) => ({ nodes, codes: [] })],
    [
      'that is too large',
      ({ nodes }) => ({ nodes: Array<Uint8Array>(9_000).fill(nodes[0] as Uint8Array), codes: [] }),
    ],
  ])('are refused with a witness %s', async (_, spoil) => {
    await openChain(contractGenesis());
    await growContractChain();
    const [right, earlier] = await Promise.all(
      [3, 2].map((number) => serveValidators(chain, chain.store, number)),
    );
    if (right === undefined || earlier === undefined) throw new Error('no witness');
    const { headers, start } = await joining({ witness: async () => spoil(right, earlier) });
    await expect(headers.verify(await blocksOf(chain), start)).rejects.toThrow('validators not shown');
  });

  it('are verified to where votes count again', async () => {
    const transitions = [{ block: 5, validatorselectionmode: 'blockheader' }];
    await openChain(contractGenesis({ transitions }));
    for (const key of [A, B]) await append(key);
    await append(C);
    await append(A, { transactions: replacing() });
    await append(A, { keys: [A, B, E] });
    await append(B, { keys: [A, B] });
    const { headers, start, asked } = await joining();
    const known = await headers.verify(await blocksOf(chain), start);
    expect(asked).toEqual([4]);
    expect(known.slice(4).map(({ snapshot }) => snapshot)).toEqual(await snapshots(5));
  });

  it('are proved for no block that is unknown, or after which no contract names them', async () => {
    await openChain(contractGenesis({ transitions: [{ block: 2, validatorselectionmode: 'blockheader' }] }));
    for (const key of [A, B]) await append(key);
    expect(await serveValidators(chain, chain.store, 1)).toBeDefined();
    expect(await serveValidators(chain, chain.store, 2)).toBeUndefined();
    expect(await serveValidators(chain, chain.store, 9)).toBeUndefined();
  });
});
