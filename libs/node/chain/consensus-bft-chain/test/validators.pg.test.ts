import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey } from '@tetrad/crypto';
import { bftRules, hashHeader } from '@tetrad/node-consensus-bft';
import { findAccount, readSlot, type RuleSet } from '@tetrad/node-execution';
import { HeaderVerifier } from '@tetrad/node-ledger';
import { createTestDatabase, type TestDatabase } from '@tetrad/testkit';
import { ZERO_ADDRESS, hexFromBytes, parseHash, systemClock, type Address } from '@tetrad/types';
import { openTestLedger, testGenesis, transfer, type TestLedger } from './open-test-ledger.js';
import { nextBlock, type NextBlock } from './seal-block.js';

/** Keys of A, B, C, D and E. */
const KEYS = [1, 2, 3, 4, 5].map((scalar) => Buffer.alloc(32, scalar));
const [A, B, C, D, E] = KEYS as [Buffer, Buffer, Buffer, Buffer, Buffer];
const FOUR = [A, B, C, D];
const addressesOf = (keys: readonly Uint8Array[]): Address[] => keys.map(addressFromPrivateKey).sort();
const e = addressFromPrivateKey(E);

let database: TestDatabase;
let chain: TestLedger;
let open: TestLedger[] = [];
beforeEach(async () => {
  database = await createTestDatabase('node');
});
afterEach(async () => {
  for (const one of open) await one.close();
  open = [];
  await database.drop();
});

type Changes = NonNullable<Parameters<typeof testGenesis>[0]> & { readonly rules?: RuleSet };

async function openChain({ rules = 'tetrad', ...changes }: Changes = {}): Promise<void> {
  const genesis = testGenesis({ blockPeriodMs: 1000, validatorKeys: FOUR, ...changes });
  chain = await openTestLedger(database.url, { genesis: { ...genesis, rules } });
  open = [chain];
}

/** Appends a block; three of four seal it when nothing else is said. */
async function append(proposerKey: Uint8Array, next: Partial<NextBlock> = {}): Promise<void> {
  await chain.ledger.importBlock(await nextBlock(chain, { proposerKey, keys: [A, B, C], ...next }));
}

const vote = (isAdd: boolean, recipient = e) => ({ vote: { recipient, isAdd } });
const validators = () => chain.ledger.snapshot().validators;

describe.each(['qbft', 'ibft'] as const)(
  'a vote about the zero address in a chain of the %s format',
  (engine) => {
    const add = vote(true, ZERO_ADDRESS);

    it('is withdrawn by the next block without a vote of its author, under the rules of GoQuorum', async () => {
      await openChain({ engine, rules: 'goquorum' });
      await append(A, add);
      expect(chain.ledger.snapshot().votes).toMatchObject([
        { recipient: ZERO_ADDRESS, isAdd: true, block: 1 },
      ]);
      await append(B);
      expect(chain.ledger.snapshot().votes).toHaveLength(1);
      await append(A);
      expect(chain.ledger.snapshot().votes).toEqual([]);
      expect(await chain.ledger.verifyFromGenesis()).toBe(3);
    });

    it('is kept under those of Tetrad, where the format can express it', async () => {
      await openChain({ engine });
      await append(A, add);
      await append(A);
      // An older header with a zero beneficiary has no vote.
      expect(chain.ledger.snapshot().votes).toHaveLength(engine === 'qbft' ? 1 : 0);
    });
  },
);

describe('the minimum gas limit of a transition', () => {
  const transitions = [{ block: 2, 'miner.gaslimit': 700_000_000 }];

  it('is reached at its block at once, and not passed', async () => {
    await openChain({ transitions, gasLimit: 10_000_000n });
    await append(A);
    await expect(append(B, { gasLimit: 700_000_001n })).rejects.toThrow('invalid gas limit');
    await append(B, { gasLimit: 700_000_000n });
    expect(chain.ledger.head().header.gasLimit).toBe(700_000_000n);
  });

  it('does not bind sealed blocks under the rules of GoQuorum, which never looked at it', async () => {
    await openChain({ gasLimit: 10_000_000n, rules: 'goquorum' });
    await append(A, { gasLimit: 90_000_000n });
    expect(chain.ledger.head().header.gasLimit).toBe(90_000_000n);
  });
});

describe.each(['tetrad', 'goquorum'] as const)(
  'the gas limit of a proposal under the rules of %s',
  (rules) => {
    it('is that of its parent: one validator of four cannot move it block by block until no transaction fits', async () => {
      await openChain({ gasLimit: 10_000_000n, rules });
      await append(A);
      const proposal = (gasLimit: bigint) => nextBlock(chain, { proposerKey: B, keys: [], gasLimit });
      for (const moved of [9_999_999n, 9_990_300n, 10_000_001n])
        await expect(chain.ledger.checkProposal(await proposal(moved))).rejects.toThrow('invalid gas limit');
      await expect(chain.ledger.checkProposal(await proposal(10_000_000n))).resolves.toBeDefined();
    });

    it('may be another one in a block that a quorum has sealed, such as of an earlier version', async () => {
      await openChain({ gasLimit: 10_000_000n, rules });
      await append(A, { gasLimit: 10_009_700n });
      await append(B, { gasLimit: 10_009_700n });
      expect(chain.ledger.head().header).toMatchObject({ number: 2, gasLimit: 10_009_700n });
    });
  },
);

describe.each(['qbft', 'ibft'] as const)('the validators of a chain of the %s format', (engine) => {
  it('change with the votes of their blocks, and produce the block after', async () => {
    await openChain({ engine });
    await append(A, vote(true));
    await append(B, vote(true));
    expect(chain.ledger.snapshot().votes).toMatchObject([{ block: 1 }, { block: 2 }]);
    await append(C, vote(true));
    expect(validators()).toEqual(addressesOf(KEYS));
    expect(chain.ledger.snapshot().votes).toEqual([]);
    // Five need four seals.
    await expect(append(E)).rejects.toThrow('invalid committed seals');
    await append(E, { keys: [B, C, D, E] });
    await append(A, { keys: FOUR, ...vote(false) });
    await append(B, { keys: FOUR, ...vote(false) });
    await append(E, { keys: [B, C, D, E], ...vote(false) });
    expect(validators()).toEqual(addressesOf(FOUR));
    await expect(append(E)).rejects.toThrow('unauthorized');
    await append(D);
    expect(await chain.ledger.verifyFromGenesis()).toBe(8);
  });

  it('and their open votes are known after a restart, for every block', async () => {
    await openChain({ engine });
    await append(A, vote(true));
    await append(B, vote(false, addressFromPrivateKey(A)));
    await append(A, vote(true));
    const snapshots = await Promise.all([0, 1, 2, 3].map((number) => chain.ledger.snapshotAt(number)));
    await chain.close();
    await openChain({ engine });
    const again = await Promise.all([0, 1, 2, 3].map((number) => chain.ledger.snapshotAt(number)));
    expect(again).toEqual(snapshots);
    expect(again.map(({ votes }) => votes.map(({ block }) => block))).toEqual([[], [1], [1, 2], [2, 3]]);
    expect(chain.ledger.snapshot()).toEqual(again[3]);
    // A vote that was taken back stays taken back.
    await append(C, vote(true));
    await append(B, vote(true));
    expect(validators()).toEqual(addressesOf(KEYS));
  });

  it('forget open votes where an epoch begins', async () => {
    await openChain({ engine, consensus: { epochlength: 2 } });
    await append(A, vote(true));
    await append(B);
    expect((await chain.ledger.snapshotAt(1)).votes).toHaveLength(1);
    expect((await chain.ledger.snapshotAt(2)).votes).toEqual([]);
  });
});

describe.each(['qbft', 'ibft'] as const)('I27: a block on top of the genesis block (%s)', (engine) => {
  it('is accepted, as a proposal and sealed; one with an unknown parent is not', async () => {
    await openChain({ engine });
    const first = await nextBlock(chain, { proposerKey: A, keys: [A, B, C] });
    await expect(chain.ledger.checkProposal(first)).resolves.toBeDefined();
    const { ledger } = chain;
    const parentHash = parseHash(`0x${'12'.repeat(32)}`);
    const stray = await nextBlock(chain, { proposerKey: A, keys: [A, B, C], parentHash });
    await expect(ledger.checkProposal(stray)).rejects.toThrow('unknown ancestor');
    await expect(ledger.importBlock(stray)).rejects.toThrow('unknown ancestor');
    await ledger.importBlock(first);
    expect(ledger.head().hash).toBe(first.hash);
  });
});

describe('transitions', () => {
  it('change the format at their block, and headers continue from each other', async () => {
    await openChain({ engine: 'ibft', transitions: [{ block: 3, algorithm: 'qbft' }] });
    for (const key of [A, B, C]) await append(key, vote(true));
    expect(validators()).toEqual(addressesOf(KEYS));
    await append(D, { keys: FOUR });
    const formats = await Promise.all(
      [2, 3].map(async (number) => {
        const { header } = (await chain.ledger.findBlock(number)) ?? { header: undefined };
        return (['ibft', 'qbft'] as const).filter((format) => {
          try {
            return header !== undefined && bftRules(format).validatorsOf(header).length > 0;
          } catch {
            return false;
          }
        });
      }),
    );
    expect(formats).toEqual([['ibft'], ['qbft']]);
    expect(await chain.ledger.verifyFromGenesis()).toBe(4);
  });

  it('replace the set once, and votes continue from there', async () => {
    const replaced = addressesOf([A, B, E]);
    await openChain({ transitions: [{ block: 2, validators: replaced }] });
    await append(A, vote(true));
    await append(D);
    expect(validators()).toEqual(replaced);
    expect(chain.ledger.snapshot().votes).toEqual([]);
    await expect(append(D, { keys: [A, B, E] })).rejects.toThrow('unauthorized');
    await append(E, { keys: [A, B], ...vote(false, addressFromPrivateKey(B)) });
    await append(A, { keys: [A, E], ...vote(false, addressFromPrivateKey(B)) });
    expect(validators()).toEqual(addressesOf([A, E]));
  });

  it('I10: change the recipient and the amount of the reward', async () => {
    const treasury = '0x0638e1574728b6d862dd5d3a3e0942c3be47d996';
    await openChain({
      transitions: [
        { block: 110, miningBeneficiary: treasury, blockReward: '20' },
        { block: 115, beneficiaryMode: 'fixed' },
        { block: 120, blockReward: '0xa' },
        { block: 125, beneficiaryMode: 'validators' },
      ],
    });
    const gains = new Map<number, bigint>();
    let before = 0n;
    for (let number = 1; number <= 130; number++) {
      await append(FOUR[number % 4] as Buffer);
      const world = await chain.ledger.worldAt(chain.ledger.head());
      const balance = (await findAccount(world, treasury as Address))?.balance ?? 0n;
      gains.set(number, balance - before);
      before = balance;
    }
    const expected = (number: number) => {
      if (number < 110 || number >= 125) return 0n;
      return number < 120 ? 20n : 10n;
    };
    expect([...gains]).toEqual([...gains.keys()].map((number) => [number, expected(number)]));
    // From block 125 the proposer is rewarded.
    const world = await chain.ledger.worldAt(chain.ledger.head());
    const rewards = await Promise.all(
      FOUR.map(async (one) => (await findAccount(world, addressFromPrivateKey(one)))?.balance ?? 0n),
    );
    expect(rewards.reduce((sum, one) => sum + one, 0n)).toBe(6n * 10n);
  });
});

describe('the fees of a chain with a beneficiary', () => {
  const treasury = '0x0638e1574728b6d862dd5d3a3e0942c3be47d996' as Address;
  /** Code that stores COINBASE in slot 0. */
  const STORES_COINBASE = Buffer.from('41600055', 'hex');
  const contract = `0x${'c0'.repeat(20)}` as Address;

  it.each([
    ['goquorum', treasury],
    ['tetrad', addressFromPrivateKey(B)],
  ] as const)('go by the rules of %s to %s, and COINBASE is the proposer', async (rules, paid) => {
    const transitions = [{ block: 2, miningBeneficiary: treasury }];
    const genesis = testGenesis({ blockPeriodMs: 1000, validatorKeys: FOUR, transitions });
    const code = { address: contract, balance: 0n, nonce: 1n, code: STORES_COINBASE, storage: [] };
    chain = await openTestLedger(database.url, {
      genesis: { ...genesis, rules, alloc: [...genesis.alloc, code] },
    });
    open = [chain];
    await append(A, { transactions: [transfer(0, 0, { gasPrice: 3n })] });
    const call = transfer(0, 1, { gasPrice: 3n, gas: 60_000n, to: contract, value: 0n });
    await append(B, { transactions: [call] });
    const world = await chain.ledger.worldAt(chain.ledger.head());
    const balance = async (address: Address) => (await findAccount(world, address))?.balance ?? 0n;
    const { gasUsed } = chain.ledger.head().header;
    expect(await balance(addressFromPrivateKey(A))).toBe(63_000n);
    expect(await balance(paid)).toBe(3n * gasUsed);
    expect(await balance(paid === treasury ? addressFromPrivateKey(B) : treasury)).toBe(0n);
    const slot = await readSlot(world, contract, new Uint8Array(32));
    expect(hexFromBytes(slot).slice(-40)).toBe(addressFromPrivateKey(B).slice(2));
    expect(await chain.ledger.verifyFromGenesis()).toBe(2);
  });
});

describe('headers of a range', () => {
  it('are checked against the validators that follow from the headers before them', async () => {
    await openChain();
    const start = chain.ledger.head();
    for (const key of [A, B, C]) await append(key, vote(true));
    await append(E, { keys: [B, C, D, E] });
    const blocks = await Promise.all([1, 2, 3, 4].map((number) => chain.ledger.findBlock(number)));
    const range = blocks.flatMap((block) => (block === undefined ? [] : [block]));

    const other = await createTestDatabase('node');
    const follower = await openTestLedger(other.url, { genesis: chain.ledger.genesis });
    const verifier = new HeaderVerifier(follower.ledger);
    expect(await verifier.verify(range.slice(0, 3), start)).toBeUndefined();
    // The next range is checked before the first is imported.
    expect(await verifier.verify(range.slice(3), range[2] ?? start)).toBeUndefined();
    expect(await verifier.verify(range.slice(2), range[1] ?? start)).toBe('unknown ancestor');
    const [first] = range;
    if (first === undefined) throw new Error('the range is empty');
    const forged = { ...first, header: { ...first.header, gasUsed: 1n } };
    expect(await verifier.verify([forged], start)).toBe('invalid block hash');
    expect(await verifier.verify([{ ...forged, hash: hashHeader(forged.header) }], start)).toBe(
      'invalid committed seals',
    );
    for (const block of range) await follower.ledger.importBlock(block);
    expect(follower.ledger.snapshot()).toEqual(chain.ledger.snapshot());
    await follower.close();
    await other.drop();
  });
});

it('headers that are ahead of a slow clock are valid, and their blocks are held until their time', async () => {
  await openChain();
  const start = chain.ledger.head();
  await append(A);
  const block = chain.ledger.head();
  const timeMs = Number(block.header.timestamp) * 1000;
  const other = await createTestDatabase('node');
  let nowMs = timeMs - 100_000;
  const clock = { ...systemClock, now: () => nowMs };
  const follower = await openTestLedger(other.url, { genesis: chain.ledger.genesis, clock });
  const verify = () => new HeaderVerifier(follower.ledger).verify([block], start);
  expect(await verify()).toBeUndefined();
  // A quorum has sealed it: fifteen seconds are let pass.
  expect(follower.ledger.earlyMs(block)).toBe(85_000);
  await expect(follower.ledger.importBlock(block)).rejects.toThrow('block in the future');
  nowMs = timeMs - 700_000;
  expect(await verify()).toBe('block in the future');
  nowMs = timeMs - 15_000;
  expect(follower.ledger.earlyMs(block)).toBe(0);
  await follower.ledger.importBlock(block);
  await follower.close();
  await other.drop();
});

it('a candidate votes in the blocks of this node, and outlives a restart', async () => {
  await openChain();
  await chain.candidates.propose(e, true);
  expect(chain.candidates.chooseVote(chain)).toEqual({ recipient: e, isAdd: true });
  await chain.close();
  await openChain();
  expect(new Map(chain.candidates.list())).toEqual(new Map([[e, true]]));
  await chain.candidates.propose(e, false);
  expect(chain.candidates.chooseVote(chain)).toBeUndefined();
  await chain.candidates.discard(e);
  expect(chain.candidates.list().size).toBe(0);
});
