import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { compile } from '@tetrad/compilers';
import { parseAddress, type Address, type Hash } from '@tetrad/types';
import { Interface } from 'ethers/abi';
import { EthereumClient, RollupReader, freezeText, readFreeze, type FreezeHistory } from '../src/index.js';
import { ANNOUNCEMENT } from './agreeing-rollup.js';
import { describeWithAnvil, startChain, type Call, type TestChain } from './anvil-chain.js';
import { sourcesOf } from './evm-contract.js';
import { GameRollup } from './game-rollup.js';

const GAS = 1_000_000n;

interface Mined {
  readonly hash: Hash;
  readonly from: Address;
  readonly succeeded: boolean;
}

describeWithAnvil('who ends a rollup', () => {
  let chain: TestChain;
  let client: EthereumClient;
  let game: GameRollup;
  let relay: Address;
  let [payer, stranger, other]: Address[] = [];
  let snapshot: string;
  const abi = new Interface(['function relay(address to, bytes data)']);

  beforeAll(async () => {
    chain = await startChain();
    client = new EthereumClient({ url: chain.url, timeoutMs: 30_000 });
    [, payer, stranger, other] = chain.accounts as [Address, Address, Address, Address];
    relay = await chain.create(compile(await sourcesOf('hostile.sol')).get('Relay')?.bytecode ?? '');
    game = await GameRollup.deploy(chain);
    await game.fund(payer!, 1, 600n);
    await game.rollup.send(
      stranger!,
      'requestTransfer',
      game.transferRequest(1, { to: other!, amount: 600n }),
    );
    await game.register(payer!, 1, 5n);
    await game.rollup.passUntil((await game.overdueAt(1)) + 5);
    snapshot = await chain.ask('evm_snapshot');
  });
  beforeEach(async () => {
    await chain.ask('evm_revert', [snapshot]);
    snapshot = await chain.ask('evm_snapshot');
  });
  afterAll(async () => {
    await client?.close();
    await chain?.stop();
  });

  const callOf = (from: Address, name: string, index: number): Call => ({
    from,
    to: game.rollup.contract,
    data: game.rollup.codec.encodeCall(name, [index]),
    gas: GAS,
  });
  const relayed = ({ from, to, data }: Call): Call => ({
    from,
    to: relay,
    data: abi.encodeFunctionData('relay', [to, data]),
    gas: GAS,
  });

  /** All in one block. */
  const mine = async (...calls: readonly Call[]): Promise<readonly Mined[]> => {
    await chain.ask('evm_setAutomine', [false]);
    const hashes: Hash[] = [];
    for (const call of calls)
      hashes.push(await chain.ask('eth_sendTransaction', [{ gasPrice: 0n, ...call }]));
    await chain.ask('evm_mine');
    await chain.ask('evm_setAutomine', [true]);
    return Promise.all(
      hashes.map(async (hash) => {
        type Receipt = { from: string; status: string };
        const { from, status } = await chain.ask<Receipt>('eth_getTransactionReceipt', [hash]);
        return { hash, from: parseAddress(from), succeeded: status === '0x1' };
      }),
    );
  };
  const freezeBy = async (call: Call): Promise<FreezeHistory> => {
    await chain.passTime(ANNOUNCEMENT);
    const [mined] = await mine(call);
    expect(mined?.succeeded).toBe(true);
    const { codec, contract } = game.rollup;
    const history = await readFreeze({ client, codec, contract }, mined!.hash, 0);
    expect(history?.frozen).toMatchObject({ from: call.from, transaction: mined!.hash });
    return history!;
  };

  it('is the sender of the call that succeeded, among others in its block that did not', async () => {
    const calls = [payer!, stranger!, other!].map((from) => callOf(from, 'announceByRequest', 1));
    const announced = await mine(...calls, callOf(payer!, 'announceByDeposit', 1));
    const [first, ...more] = announced.slice(0, 3).filter(({ succeeded }) => succeeded);
    expect(more).toEqual([]);
    const block = await client.blockNumber();
    const history = await freezeBy(callOf(payer!, 'freezeByRequest', 1));
    expect(history).toMatchObject({
      cause: { accountId: 1 },
      announced: { from: first?.from, transaction: first?.hash, block },
    });
    expect(freezeText(history)).toContain(`froze it by the request of account 1, which ${first?.from} (`);
  });

  it('is found by the deposit too, in a block of the same second as others', async () => {
    await chain.ask('anvil_setBlockTimestampInterval', [0]);
    for (let block = 0; block < 3; block += 1) await chain.ask('evm_mine');
    const [announced] = await mine(callOf(other!, 'announceByDeposit', 1));
    for (let block = 0; block < 3; block += 1) await chain.ask('evm_mine');
    await chain.ask('anvil_removeBlockTimestampInterval');
    const history = await freezeBy(callOf(stranger!, 'freezeByDeposit', 1));
    expect(history).toMatchObject({
      cause: { deposit: 1 },
      announced: { from: other, transaction: announced?.hash },
    });
  });

  it('is not known where another contract announced', async () => {
    await mine(relayed(callOf(other!, 'announceByRequest', 1)));
    const history = await freezeBy(callOf(stranger!, 'freezeByRequest', 1));
    expect(history).toMatchObject({ cause: { accountId: 1 }, announced: undefined });
  });

  it('is who sent the transaction where another contract froze', async () => {
    await mine(callOf(other!, 'announceByRequest', 1));
    const history = await freezeBy(relayed(callOf(stranger!, 'freezeByRequest', 1)));
    expect(history).toMatchObject({ cause: undefined, announced: undefined });
    expect(freezeText(history)).toMatch(/froze it through another contract$/);
  });

  it('is not known of a transaction that the client does not have', async () => {
    const { codec, contract } = game.rollup;
    expect(await readFreeze({ client, codec, contract }, `0x${'12'.repeat(32)}` as Hash, 0)).toBeUndefined();
  });

  it('is no call with values that cannot be read', () => {
    const { codec } = game.rollup;
    const whole = codec.encodeCall('freezeByDeposit', [7]);
    expect(codec.parseCall(whole)).toMatchObject({ name: 'freezeByDeposit' });
    expect(codec.parseCall('0x')).toBeUndefined();
    expect(codec.parseCall('0x12345678')).toBeUndefined();
    for (let length = 2; length < whole.length; length += 2)
      expect(codec.parseCall(whole.slice(0, length) as typeof whole)).toBeUndefined();
  });

  it('has the head of the contract read of one state, though a batch is accepted meanwhile', async () => {
    const { codec, contract } = game.rollup;
    const making: EthereumClient['call'] = async (...asked) => {
      const answer = await client.call(...asked);
      await game.make([]);
      return answer;
    };
    const moving = Object.assign(Object.create(client) as EthereumClient, { call: making });
    const height = game.height;
    const [stateRoot] = await game.rollup.read('stateRoot');
    expect(await new RollupReader(moving, codec, contract).head()).toEqual({ height, stateRoot });
    expect(game.height).toBe(height + 2);
    // As a client that makes a block: the first answer is of the new state already.
    let [calls, early] = [0, 2];
    const call: EthereumClient['call'] = (asked, state) => {
      calls += 1;
      return client.call(asked, calls % 2 === 1 && calls < early ? 'latest' : state);
    };
    const mixing = Object.assign(Object.create(client) as EthereumClient, { call });
    const { blockHash } = await client.stateAt('latest');
    const atBlock = { height: game.height, stateRoot: (await game.rollup.read('stateRoot'))[0] };
    await game.make([]);
    expect(await new RollupReader(mixing, codec, contract).head({ blockHash })).toEqual(atBlock);
    expect(calls).toBe(4);
    [calls, early] = [0, Infinity];
    const mixed = new RollupReader(mixing, codec, contract).head({ blockHash });
    await expect(mixed).rejects.toThrow('two states');
  });
});
