import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { compile } from '@tetrad/compilers';
import { ZERO_ADDRESS, type Address } from '@tetrad/types';
import { AgreeingRollup } from './agreeing-rollup.js';
import { describeWithAnvil, startChain, type TestChain } from './anvil-chain.js';
import { sourcesOf } from './evm-contract.js';

const ACCEPTED = { status: '0x1' };

describeWithAnvil('the operator', () => {
  let chain: TestChain;
  let rollup: AgreeingRollup;
  let [operator, next, stranger]: Address[] = [];

  beforeAll(async () => {
    chain = await startChain();
    [operator, next, stranger] = chain.accounts as [Address, Address, Address];
    rollup = await AgreeingRollup.deploy(chain);
  });
  afterAll(() => chain?.stop());

  it('alone submits batches', async () => {
    expect(await rollup.submit(stranger!, [])).toBe('NotOperator');
    expect(await rollup.submit(operator!, [])).toMatchObject(ACCEPTED);
  });

  it('changes in two steps, the second of which the next one makes', async () => {
    expect(await rollup.send(stranger!, 'proposeOperator', [stranger])).toBe('NotOperator');
    expect(await rollup.send(operator!, 'proposeOperator', [ZERO_ADDRESS])).toBe('InvalidOperator');
    expect(await rollup.send(operator!, 'proposeOperator', [rollup.contract])).toBe('InvalidOperator');
    expect(await rollup.send(operator!, 'acceptOperator', [])).toBe('NotOperator');
    await rollup.send(operator!, 'proposeOperator', [stranger]);
    await rollup.send(operator!, 'proposeOperator', [next]);
    expect(await rollup.send(stranger!, 'acceptOperator', [])).toBe('NotOperator');
    expect(await rollup.submit(operator!, [])).toMatchObject(ACCEPTED);
    expect(await rollup.send(next!, 'acceptOperator', [])).toMatchObject(ACCEPTED);
    expect(String((await rollup.read('operator'))[0]).toLowerCase()).toBe(next);
    expect(await rollup.submit(operator!, [])).toBe('NotOperator');
    expect(await rollup.submit(next!, [])).toMatchObject(ACCEPTED);
    expect(await rollup.send(next!, 'acceptOperator', [])).toBe('NotOperator');
  });

  it('adds tokens that are tokens, each once', async () => {
    const artifacts = compile(await sourcesOf('hostile.sol'));
    const made = async (name: string) => chain.create(artifacts.get(name)?.bytecode ?? '');
    const token = await made('OddToken');
    const add = (address: unknown, unit = 1n) => rollup.send(next!, 'addToken', [address, unit]);
    const [verifier] = await rollup.read('verifiers', [4]);
    const wrong = [
      rollup.contract,
      verifier,
      await made('NoToken'),
      await made('HalfToken'),
      stranger,
      ZERO_ADDRESS,
    ];
    for (const address of wrong) expect([address, await add(address)]).toEqual([address, 'InvalidToken']);
    expect(await add(token, 0n)).toBe('InvalidAmount');
    expect(await add(token)).toMatchObject(ACCEPTED);
    expect(await add(token)).toBe('InvalidToken');
    expect(await rollup.read('tokenCount')).toEqual([2n]);
    expect(await rollup.send(stranger!, 'addToken', [await made('OddToken'), 1n])).toBe('NotOperator');
  });

  it('makes no account of a creation whose text does not say whose it is', async () => {
    const create = (account: number, text: readonly bigint[]) =>
      rollup.submit(next!, [{ kind: 'create', account, text }]);
    expect(await create(1, [1n, 77n])).toBe('IncompleteCreation');
    expect(await create(1, [])).toBe('IncompleteCreation');
    expect(await create(1, [5n, 77n])).toMatchObject(ACCEPTED);
    expect(await create(2, [5n, 77n])).toBe('CreationUsed');
    expect(await create(2, [5n, 78n])).toMatchObject(ACCEPTED);
  });
});
