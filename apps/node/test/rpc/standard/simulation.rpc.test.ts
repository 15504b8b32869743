import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPublicClient, http } from 'viem';
import { startAnvil, type Anvil } from '../../anvil.js';
import { reasonOf, type RpcAnswer, type RunningNode } from '../../running-node.js';
import { useStandardChain, type StandardChain } from '../../standard-chain.js';

interface Call {
  readonly status: string;
  readonly gasUsed: string;
  readonly returnData: string;
  readonly logs: readonly {
    address: string;
    data: string;
    topics: readonly string[];
    blockHash: string;
    logIndex: string;
  }[];
  readonly error?: { readonly code: number; readonly message: string; readonly data?: string };
}
interface SimulatedBlock {
  readonly number: string;
  readonly timestamp: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly gasUsed: string;
  readonly stateRoot: string;
  readonly transactions: readonly unknown[];
  readonly calls: readonly Call[];
}

const RICH = `0x${'c0'.repeat(20)}`;
const POOR = `0x${'c1'.repeat(20)}`;
const THIRD = `0x${'c2'.repeat(20)}`;
const ONE_ETHER = '0xde0b6b3a7640000';
const ETHER = `0x${'ee'.repeat(20)}`;

let chain: StandardChain;
let node: RunningNode;
let check: StandardChain['check'];
useStandardChain((started) => {
  chain = started;
  ({ node, check } = started);
});

const simulate = (simulation: object, block = 'latest') =>
  check<SimulatedBlock[]>('eth_simulateV1', simulation, block);
const refused = (simulation: object): Promise<RpcAnswer> =>
  node.call('eth_simulateV1', [simulation, 'latest']);
const rich = { stateOverrides: { [RICH]: { balance: ONE_ETHER } } };

describe('a simulation', () => {
  it('carries the state from call to call and from block to block, and keeps nothing', async () => {
    const before = await node.result('eth_getBalance', [THIRD]);
    const [first, second] = await simulate({
      blockStateCalls: [
        {
          ...rich,
          calls: [
            { from: RICH, to: POOR, value: '0x3e8' },
            { from: POOR, to: THIRD, value: '0x3e8' },
          ],
        },
        {
          calls: [
            { from: THIRD, to: RICH, value: '0x3e7' },
            { from: THIRD, to: RICH, value: '0x1' },
          ],
        },
      ],
    });
    for (const { calls } of [first, second] as SimulatedBlock[])
      expect(calls).toMatchObject([
        { status: '0x1', gasUsed: '0x5208', returnData: '0x', logs: [] },
        { status: '0x1' },
      ]);
    expect(Number(second?.number)).toBe(Number(first?.number) + 1);
    expect(second?.parentHash).toBe(first?.hash);
    expect(second?.stateRoot).not.toBe(first?.stateRoot);
    expect(first?.gasUsed).toBe('0xa410');
    expect(await node.result('eth_getBalance', [THIRD])).toBe(before);
  });

  it('shows logs with their positions, reverts with their bytes, and other failures', async () => {
    const { token, owner, holder, abi } = chain;
    const transfer = (value: bigint) => abi.encodeFunctionData('transfer', [holder, value]);
    const [block] = await simulate({
      returnFullTransactions: true,
      blockStateCalls: [
        {
          stateOverrides: { [THIRD]: { code: '0xfe' } },
          calls: [
            { from: owner, to: token, data: transfer(1n) },
            { from: owner, to: token, data: transfer(10n ** 30n) },
            { from: owner, to: THIRD, gas: '0x186a0' },
            { from: owner, to: token, data: transfer(2n) },
          ],
        },
      ],
    });
    const { calls, hash, transactions } = block as SimulatedBlock;
    expect(calls.map(({ status }) => status)).toEqual(['0x1', '0x0', '0x0', '0x1']);
    expect(calls[0]?.logs).toMatchObject([{ address: token, blockHash: hash, logIndex: '0x0' }]);
    expect(calls[3]?.logs).toMatchObject([{ address: token, blockHash: hash, logIndex: '0x1' }]);
    expect(calls[1]?.error).toMatchObject({ code: 3, message: 'execution reverted' });
    expect(abi.parseError(calls[1]?.error?.data ?? '')?.name).toBe('InsufficientBalance');
    expect(calls[2]?.error).toEqual({ code: -32015, message: 'invalid opcode: INVALID' });
    expect(transactions).toMatchObject([{ from: owner, to: token, r: '0x0', s: '0x0' }, {}, {}, {}]);
  });

  it('shows transfers of ether as logs when asked, and none of calls that failed', async () => {
    // Sends 7 wei to the third account, and then reverts when it was called with data.
    const code = `0x6000600060006000600773${THIRD.slice(2)}5af150361561002d5760006000fd5b00`;
    const [block] = await simulate({
      traceTransfers: true,
      blockStateCalls: [
        {
          stateOverrides: { [RICH]: { balance: ONE_ETHER }, [POOR]: { code, balance: '0x64' } },
          calls: [
            { from: RICH, to: POOR, value: '0x5' },
            { from: RICH, to: POOR, value: '0x5', data: '0x01' },
          ],
        },
      ],
    });
    const shown = (block?.calls ?? []).map(({ logs }) =>
      logs.map(({ address, topics, data }) => [
        address,
        topics[1]?.slice(-40),
        topics[2]?.slice(-40),
        Number(data),
      ]),
    );
    expect(shown).toEqual([
      [
        [ETHER, RICH.slice(2), POOR.slice(2), 5],
        [ETHER, POOR.slice(2), THIRD.slice(2), 7],
      ],
      [],
    ]);
  });

  it('fills gaps between blocks, and uses the overrides of each', async () => {
    const head = Number(await node.result('eth_blockNumber'));
    const number = (ahead: number) => `0x${(head + ahead).toString(16)}`;
    const blocks = await simulate(
      {
        blockStateCalls: [
          { blockOverrides: { number: number(3), baseFeePerGas: '0x9' } },
          {
            blockOverrides: { feeRecipient: RICH },
            // NUMBER, then the hash of the block before.
            stateOverrides: { [POOR]: { code: '0x43600052600143034060205260406000f3' } },
            calls: [{ to: POOR }],
          },
        ],
      },
      `0x${head.toString(16)}`,
    );
    expect(blocks.map((block) => Number(block.number) - head)).toEqual([1, 2, 3, 4]);
    expect(blocks[3]).toMatchObject({ miner: RICH });
    const { returnData } = (blocks[3] as SimulatedBlock).calls[0] as Call;
    expect(Number(returnData.slice(0, 66))).toBe(head + 4);
    expect(`0x${returnData.slice(66)}`).toBe(blocks[2]?.hash);
  });

  it('without validation allows senders with code, any nonce, and no payment', async () => {
    const [block] = await simulate({
      blockStateCalls: [
        {
          stateOverrides: { [RICH]: { balance: '0x1', code: '0x00' } },
          blockOverrides: { baseFeePerGas: '0x10' },
          calls: [{ from: RICH, to: POOR, value: '0x1', nonce: '0x99' }],
        },
      ],
    });
    expect(block?.calls).toMatchObject([{ status: '0x1' }]);
  });

  it.each([
    ['a nonce that is too low', { nonce: '0x0' }, -38010],
    ['a nonce that is too high', { nonce: '0x99' }, -38011],
    ['a price below the base fee', { maxFeePerGas: '0x1', nonce: '0x5' }, -38012],
    ['less gas than the message itself takes', { gas: '0x100', nonce: '0x5' }, -38013],
    ['more than the sender has', { value: `0x${'f'.repeat(30)}`, nonce: '0x5' }, -38014],
    ['more gas than the block has', { gas: '0xffffffffffff', nonce: '0x5' }, -38015],
  ])('with validation refuses %s', async (_what, change, code) => {
    const answer = await refused({
      validation: true,
      blockStateCalls: [
        {
          blockOverrides: { baseFeePerGas: '0x2' },
          stateOverrides: { [RICH]: { balance: ONE_ETHER, nonce: '0x5' } },
          calls: [{ from: RICH, to: POOR, ...change }],
        },
      ],
    });
    expect(answer.error?.code).toBe(code);
    expect(reasonOf(answer)).toMatch(/^SIMULATION_/);
  });

  it.each([
    ['blocks that do not ascend', [{ blockOverrides: { number: '0x0' } }], -38020],
    ['times that do not ascend', [{ blockOverrides: { time: '0x1' } }], -38021],
    ['a block far away', [{ blockOverrides: { number: '0xffffff' } }], -38026],
    ['no block', [], -32602],
    ['too many blocks', Array.from({ length: 257 }, () => ({})), -32602],
    ['a member that it does not know', [{ blockOverrides: { withdrawals: [] } }], -32602],
  ])('refuses %s', async (_what, blockStateCalls, code) => {
    expect((await refused({ blockStateCalls })).error?.code).toBe(code);
  });

  it('is bounded in gas and in the size of its answer, without harm to the node', async () => {
    // Takes all gas that it is given, and leaves nothing for the second.
    const greedy = { stateOverrides: { [POOR]: { code: '0xfe' } }, calls: [{ to: POOR }, { to: POOR }] };
    expect((await refused({ blockStateCalls: [greedy] })).error).toMatchObject({ code: -38026 });
    // Returns 1 MB each time.
    const large = { stateOverrides: { [POOR]: { code: '0x620f42406000f3' } } };
    const calls = Array.from({ length: 100 }, () => ({ to: POOR, gas: '0x200000' }));
    expect((await refused({ blockStateCalls: [{ ...large, calls }] })).error).toMatchObject({ code: -38026 });
    expect(await node.result('eth_chainId')).toBe('0x539');
  });

  it('works with viem', async () => {
    const client = createPublicClient({ transport: http(node.url) });
    const [block] = await client.simulateBlocks({
      blocks: [
        {
          stateOverrides: [{ address: RICH as `0x${string}`, balance: 10n ** 18n }],
          calls: [{ account: RICH as `0x${string}`, to: POOR as `0x${string}`, value: 1n }],
        },
      ],
    });
    expect(block?.calls).toMatchObject([{ status: 'success', gasUsed: 21_000n }]);
  });
});

describe('compared with another client', () => {
  let anvil: Anvil;
  beforeAll(async () => {
    anvil = await startAnvil();
  });
  afterAll(() => anvil.stop());

  it('the calls of a simulation have the same results', async () => {
    const code = '0x6001600055600160005260206000a060206000f3';
    const simulation = {
      traceTransfers: true,
      blockStateCalls: [
        {
          stateOverrides: { [RICH]: { balance: ONE_ETHER }, [POOR]: { code } },
          calls: [
            { from: RICH, to: THIRD, value: '0x7' },
            { from: RICH, to: POOR, value: '0x8', gas: '0x30d40' },
          ],
        },
      ],
    };
    const ours = (await node.result<SimulatedBlock[]>('eth_simulateV1', [simulation, 'latest']))[0];
    const theirs = (await anvil.result<SimulatedBlock[]>('eth_simulateV1', [simulation, 'latest']))[0];
    const plain = (block: SimulatedBlock | undefined) =>
      block?.calls.map(({ status, gasUsed, returnData, logs }) => ({
        status,
        gasUsed,
        returnData,
        logs: logs.map(({ address, topics, data }) => ({ address, topics, data })),
      }));
    expect(plain(ours)).toEqual(plain(theirs));
  });
});
