import { describe, expect, it } from '@jest/globals';
import { parseAddress, parseHash, type Hash } from '@tetrad/types';
import { validatorRows, type BlockWrite, type ValidatorChange, type OpenVote } from '../src/index.js';
import { StoreFixture } from './store-fixture.js';

const open = StoreFixture.forEachTest();

const addressOf = (byte: string) => parseAddress(`0x${byte.repeat(20)}`);
const A = addressOf('aa');
const B = addressOf('bb');
const C = addressOf('cc');
const hashOf = (seed: number): Hash => parseHash(`0x${seed.toString(16).padStart(64, '0')}`);

function block(number: number, change?: ValidatorChange): BlockWrite {
  return {
    block: {
      number,
      hash: hashOf(number + 1),
      stateRoot: hashOf(0),
      timestamp: BigInt(number),
      header: Uint8Array.of(number),
      totalTransactions: 0,
    },
    parentHash: hashOf(number),
    transactions: [],
    logs: [],
    nodes: [],
    codes: [],
    preimages: [],
    joined: validatorRows(change),
  };
}

const vote = (number: number): OpenVote => ({ block: number, validator: A, recipient: C, isAdd: true });

async function writeChain(): Promise<void> {
  const genesis = block(0, { validators: [A, B], opened: [], closed: [] });
  await open.store.initialise({ chainId: 7n, genesisHash: genesis.block.hash }, genesis);
  await open.store.appendBlock(block(1, { opened: [vote(1)], closed: [] }));
  await open.store.appendBlock(block(2));
  await open.store.appendBlock(block(3, { opened: [vote(3)], closed: [vote(1)] }));
  await open.store.appendBlock(block(4, { validators: [A, B, C], opened: [], closed: [vote(3)] }));
  await open.store.appendBlock(block(5));
}

describe('validators in the store', () => {
  it('are those after any block, with the votes open at it', async () => {
    await writeChain();
    await open.reopen();
    const at = (number: number) => open.store.validators.findSnapshot(number);
    expect(await at(0)).toEqual({ validators: [A, B], votes: [] });
    for (const number of [1, 2]) {
      expect(await at(number)).toEqual({ validators: [A, B], votes: [vote(1)] });
    }
    expect(await at(3)).toEqual({ validators: [A, B], votes: [vote(3)] });
    for (const number of [4, 5]) {
      expect(await at(number)).toEqual({ validators: [A, B, C], votes: [] });
    }
  });

  it('change with their block or not at all', async () => {
    await writeChain();
    const orphan = { ...block(6, { validators: [], opened: [vote(6)], closed: [] }), parentHash: hashOf(99) };
    await expect(open.store.appendBlock(orphan)).rejects.toThrow('does not follow the head');
    expect(await open.store.validators.findSnapshot(6)).toEqual({ validators: [A, B, C], votes: [] });
  });

  it('are replaced after the head with the record of the validator, and open votes end', async () => {
    await writeChain();
    await open.store.appendBlock(block(6, { opened: [{ ...vote(6), recipient: B }], closed: [] }));
    const { validators, consensusRecords } = open.store;
    await consensusRecords.save(A, { height: 7, round: 3, record: Buffer.from('old') });
    const row = { height: 7, round: 0, record: Buffer.from('new') };
    await validators.replace({ head: 6, validators: [B], record: { validator: A, row } });
    expect(await validators.findSnapshot(6)).toEqual({ validators: [B], votes: [] });
    expect((await validators.findSnapshot(5))?.validators).toEqual([A, B, C]);
    expect(await consensusRecords.find(A)).toEqual(Buffer.from('new'));
    await open.store.appendBlock(block(7));
    expect(await validators.findSnapshot(7)).toEqual({ validators: [B], votes: [] });
    await validators.replace({ head: 7, validators: undefined, record: undefined });
    expect(await consensusRecords.find(A)).toEqual(Buffer.from('new'));
  });

  it('are stored once for a chain that was created before they were stored', async () => {
    const genesis = block(0);
    await open.store.initialise({ chainId: 7n, genesisHash: genesis.block.hash }, genesis);
    expect(await open.store.validators.findSnapshot(0)).toBeUndefined();
    await open.store.validators.initialise([A]);
    await open.store.validators.initialise([A, B]);
    expect(await open.store.validators.findSnapshot(0)).toEqual({ validators: [A], votes: [] });
  });
});

describe('candidates in the store', () => {
  it('outlive the process; the last value wins, and removed ones are gone', async () => {
    await open.store.validators.putCandidate(A, true);
    await open.store.validators.putCandidate(B, true);
    await open.store.validators.putCandidate(B, false);
    await open.reopen();
    expect(await open.store.validators.listCandidates()).toEqual(
      new Map([
        [A, true],
        [B, false],
      ]),
    );
    await open.store.validators.removeCandidate(A);
    await open.store.validators.removeCandidate(A);
    expect(await open.store.validators.listCandidates()).toEqual(new Map([[B, false]]));
  });
});
