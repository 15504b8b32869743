import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  MissingTrieNodeError,
  StateDatabase,
  UnknownStateRootError,
  WitnessTooLargeError,
  createExecutor,
  defaultGenesis,
  genesisState,
  parseGenesis,
  type StateSource,
  type StateWitness,
} from '@tetrad/node-execution';
import { hexFromBytes, parseAddress, parseHash, silentMetrics, type Address } from '@tetrad/types';
import { proveValidators, provenValidators, type NamedAfter } from './proven-validators.js';

const at = (byte: string) => parseAddress(`0x${byte.repeat(20)}`);
const [FIRST, SECOND, OTHER] = [at('a1'), at('a2'), at('a3')] as const;
/** Returns the addresses in its slots 0 and 1 as a list. */
const LISTS = at('c1');
/** Returns what LISTS returns, when its account is not empty, else nothing: what is left out must not count as empty. */
const ASKS = at('c2');
/** Reads slots until its gas is spent. */
const READS = at('c3');

const LIST_CODE = '60205f52600260205260005460405260015460605260805ff3';
const ASK_CODE = `60805f5f5f73${LISTS.slice(2)}5afa5060805ff3`;
const slotsOf = (one: Address, two: Address) => ({ '0x0': one, '0x1': two });
const alloc = {
  [LISTS]: { code: `0x${LIST_CODE}`, storage: slotsOf(FIRST, SECOND) },
  [ASKS]: { code: `0x${ASK_CODE}` },
  [READS]: {
    code: '0x5f5b8054506001016001565b',
    storage: Object.fromEntries(
      Array.from({ length: 9_000 }, (_, slot) => [`0x${slot.toString(16)}`, '0x1']),
    ),
  },
};

/** A chain at block 0 with these contracts, as the node has it that proves. */
async function chainOf(contracts: object) {
  const options = { chainId: 1337, extraData: '0x', engine: 'qbft', blockPeriodMs: 1_000 } as const;
  const json = defaultGenesis({ ...options, balances: new Map([[OTHER, 1n]]) });
  const genesis = parseGenesis({ ...json, alloc: { ...(json['alloc'] as object), ...contracts } });
  const stored = new Map<string, Uint8Array>();
  const source: StateSource = {
    findNode: async (hash) => stored.get(hexFromBytes(hash)),
    findCode: async (hash) => stored.get(hexFromBytes(hash)),
    findPreimage: async () => undefined,
  };
  const changes = await genesisState(genesis, new StateDatabase({ source, metrics: silentMetrics }));
  for (const { hash, encoded } of changes.nodes) stored.set(hexFromBytes(hash), encoded);
  for (const { hash, code } of changes.codes) stored.set(hexFromBytes(hash), code);
  const after = (contract: Address): NamedAfter => ({
    executor: createExecutor(genesis),
    block: {
      number: 1,
      timestamp: 1_700_000_000,
      proposer: FIRST,
      gasLimit: 16_000_000n,
      baseFeePerGas: 0n,
      difficulty: 1n,
      mixHash: parseHash(`0x${'3a'.repeat(32)}`),
      findBlockHash: async () => undefined,
    },
    stateRoot: changes.stateRoot,
    contract,
  });
  return { after, source };
}

type TestChain = Awaited<ReturnType<typeof chainOf>>;

const without = (list: readonly Uint8Array[], at: number) => list.filter((_, index) => index !== at);

describe('validators of a contract, proven to a node without the state', () => {
  let chain: TestChain;

  beforeAll(async () => {
    chain = await chainOf(alloc);
  });

  const witnessOf = (contract: Address, { after, source } = chain) =>
    proveValidators(after(contract), source);

  it.each([LISTS, ASKS])('are those that the contract %s names', async (contract) => {
    const witness = await witnessOf(contract);
    expect(await provenValidators(chain.after(contract), witness)).toEqual([FIRST, SECOND]);
    expect(witness.codes).toHaveLength(contract === ASKS ? 2 : 1);
  });

  it('are none of an account without code, which the proof shows as well', async () => {
    expect(await provenValidators(chain.after(OTHER), await witnessOf(OTHER))).toBeUndefined();
    expect(await provenValidators(chain.after(at('d1')), await witnessOf(at('d1')))).toBeUndefined();
  });

  it('are not taken from a witness that leaves out any part', async () => {
    const witness = await witnessOf(ASKS);
    const parts: StateWitness[] = [
      ...witness.nodes.map((_, at) => ({ ...witness, nodes: without(witness.nodes, at) })),
      ...witness.codes.map((_, at) => ({ ...witness, codes: without(witness.codes, at) })),
    ];
    expect(parts.length).toBeGreaterThan(4);
    for (const part of parts) {
      const error: unknown = await provenValidators(chain.after(ASKS), part).catch(
        (reason: unknown) => reason,
      );
      expect(error instanceof MissingTrieNodeError || error instanceof UnknownStateRootError).toBe(true);
    }
  });

  it('are not taken from another state, or with a byte that differs', async () => {
    const forged = await chainOf({
      ...alloc,
      [LISTS]: { code: `0x${LIST_CODE}`, storage: slotsOf(FIRST, OTHER) },
    });
    const foreign = await witnessOf(LISTS, forged);
    expect(await provenValidators(forged.after(LISTS), foreign)).toEqual([FIRST, OTHER]);
    await expect(provenValidators(chain.after(LISTS), foreign)).rejects.toThrow(UnknownStateRootError);
    const { nodes, codes } = await witnessOf(LISTS);
    for (const at of nodes.keys()) {
      const changed = nodes.map((node, index) =>
        index === at ? Uint8Array.of(...node.slice(0, -1), 7) : node,
      );
      await expect(provenValidators(chain.after(LISTS), { nodes: changed, codes })).rejects.toThrow();
    }
    // What nothing refers to is never read.
    const more = { nodes: [...nodes, ...foreign.nodes], codes };
    expect(await provenValidators(chain.after(LISTS), more)).toEqual([FIRST, SECOND]);
  });

  it('are bounded on both sides', async () => {
    await expect(witnessOf(READS)).rejects.toThrow(WitnessTooLargeError);
    const many = { nodes: new Array<Uint8Array>(8_193).fill(Uint8Array.of(1)), codes: [] };
    await expect(provenValidators(chain.after(LISTS), many)).rejects.toThrow(WitnessTooLargeError);
    const large = { nodes: [], codes: [new Uint8Array(4 * 1024 * 1024 + 1)] };
    await expect(provenValidators(chain.after(LISTS), large)).rejects.toThrow(WitnessTooLargeError);
  });
});
