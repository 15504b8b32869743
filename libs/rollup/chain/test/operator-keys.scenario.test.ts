import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FIELD_MODULUS, multiplyGenerator, type Point } from '@tetrad/rollup-crypto';
import type { Address } from '@tetrad/types';
import { EthereumClient, RollupReader, readAnnouncedKeys } from '../src/index.js';
import { AgreeingRollup } from './agreeing-rollup.js';
import { describeWithAnvil, startChain, type TestChain } from './anvil-chain.js';

const FIRST = multiplyGenerator(99n);

describeWithAnvil('keys of the operator', () => {
  let chain: TestChain;
  let client: EthereumClient;
  let rollup: AgreeingRollup;
  let [operator, stranger]: Address[] = [];

  beforeAll(async () => {
    chain = await startChain();
    client = new EthereumClient({ url: chain.url, timeoutMs: 30_000 });
    [operator, stranger] = chain.accounts as [Address, Address];
    rollup = await AgreeingRollup.deploy(chain);
  });

  afterAll(async () => {
    await client?.close();
    await chain?.stop();
  });

  const announce = (from: Address, { x, y }: Point) => rollup.send(from, 'announceOperatorKey', [[x, y]]);
  const announced = () => readAnnouncedKeys(client, rollup.contract);

  const handOver = async (from: Address, to: Address) => {
    await rollup.send(from, 'proposeOperator', [to]);
    expect(await rollup.send(to, 'acceptOperator', [])).toMatchObject({ status: '0x1' });
  };

  it('begin with the one of the deployment', async () => {
    expect(await announced()).toEqual([FIRST]);
  });

  it('are announced by the operator of the contract alone, also when that is another account', async () => {
    const [next, later] = [multiplyGenerator(100n), multiplyGenerator(101n)];
    expect(await announce(stranger!, next)).toBe('NotOperator');
    const receipt = await announce(operator!, next);
    if (typeof receipt === 'string') throw new Error(receipt);
    const events = receipt.logs.map((log) => rollup.codec.abi.parseLog(log)?.args.toArray());
    expect(events).toEqual([[1n, next.x, next.y]]);
    await handOver(operator!, stranger!);
    expect(await announce(operator!, later)).toBe('NotOperator');
    expect(await announce(stranger!, later)).toMatchObject({ status: '0x1' });
    await handOver(stranger!, operator!);
    expect(await announced()).toEqual([FIRST, next, later]);
    // Clients of earlier versions know the first one, which their accounts have.
    expect(await rollup.read('operatorKeyX')).toEqual([FIRST.x]);
  });

  it.each([
    ['not on the curve', { x: FIRST.x, y: FIRST.y + 1n }],
    ['zero', { x: 0n, y: 0n }],
    ['with a coordinate above the modulus', { x: FIRST.x + FIELD_MODULUS, y: FIRST.y }],
    ['the present one', multiplyGenerator(101n)],
  ])('are refused when they are %s', async (_, key) => {
    expect(await announce(operator!, key)).toBe('InvalidOperatorKey');
  });

  it('may come back, and are so few that a holder can try each', async () => {
    for (let index = 3; index < 64; index += 1)
      expect(await announce(operator!, index % 2 === 1 ? FIRST : multiplyGenerator(7n))).not.toBe(
        'InvalidOperatorKey',
      );
    expect(await announce(operator!, multiplyGenerator(8n))).toBe('TooManyOperatorKeys');
    expect(await announced()).toHaveLength(64);
  });

  it('of a contract of an earlier version are the one of its deployment', async () => {
    const earlier = await AgreeingRollup.deploy(chain, { without: ['operatorKeys'] });
    expect(await readAnnouncedKeys(client, earlier.contract)).toBeUndefined();
    const { operatorKeys } = await new RollupReader(client, earlier.codec, earlier.contract).constants();
    expect(operatorKeys).toEqual([FIRST]);
  });
});
