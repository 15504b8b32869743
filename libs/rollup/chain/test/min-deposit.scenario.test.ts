import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { loadToken } from '@tetrad/testkit';
import type { Address } from '@tetrad/types';
import { AbiCoder } from 'ethers/abi';
import { EthereumClient, RollupReader } from '../src/index.js';
import { AgreeingRollup, UNIT } from './agreeing-rollup.js';
import { describeWithAnvil, startChain, type TestChain } from './anvil-chain.js';

const MINIMUM = 1_000n;

describeWithAnvil('the minimum deposit', () => {
  let chain: TestChain;
  let client: EthereumClient;
  let [operator, payer]: Address[] = [];

  beforeAll(async () => {
    chain = await startChain();
    client = new EthereumClient({ url: chain.url, timeoutMs: 30_000 });
    [operator, payer] = chain.accounts as [Address, Address];
  });

  afterAll(async () => {
    await client?.close();
    await chain?.stop();
  });

  const deploy = async (options?: Parameters<typeof AgreeingRollup.deploy>[1]) => {
    const rollup = await AgreeingRollup.deploy(chain, options);
    await rollup.submit(operator!, [{ kind: 'create', account: 1 }]);
    return rollup;
  };
  const deposit = (rollup: AgreeingRollup, amount: bigint) =>
    rollup.send(payer!, 'registerInboundTransferETH', [1], amount * UNIT);
  const saidBy = ({ contract, codec }: AgreeingRollup) =>
    new RollupReader(client, codec, contract).minDeposit();

  it('is what the contract was deployed with, and a smaller deposit is refused whole', async () => {
    const rollup = await deploy({ minDeposit: MINIMUM });
    expect(await saidBy(rollup)).toBe(MINIMUM);
    const balance = () => chain.ask('eth_getBalance', [rollup.contract, 'latest']);
    const before = await balance();
    expect(await deposit(rollup, MINIMUM - 1n)).toBe('DepositTooLow');
    expect(await balance()).toBe(before);
    expect(await rollup.read('depositCount')).toEqual([0n]);
    expect(await deposit(rollup, MINIMUM)).toMatchObject({ status: '0x1' });
    expect(await rollup.read('depositCount')).toEqual([1n]);
  });

  it('holds for tokens in their own units', async () => {
    const rollup = await deploy({ minDeposit: MINIMUM });
    const values = AbiCoder.defaultAbiCoder().encode(['string', 'string', 'uint256'], ['C', 'C', 10n ** 9n]);
    const token = await chain.create((await loadToken()).bytecode + values.slice(2));
    await rollup.send(operator!, 'addToken', [token, 10n]);
    const approval = AbiCoder.defaultAbiCoder().encode(['address', 'uint256'], [rollup.contract, 10n ** 9n]);
    await chain.send({ from: operator!, to: token, data: `0x095ea7b3${approval.slice(2)}` });
    const call = (amount: bigint) => rollup.send(operator!, 'registerInboundTransferERC20', [1, 1, amount]);
    expect(await call(MINIMUM - 1n)).toBe('DepositTooLow');
    expect(await call(MINIMUM)).toMatchObject({ status: '0x1' });
  });

  it('is one unit by default, and in contracts of earlier versions, which do not say', async () => {
    for (const without of [[], ['minDeposit']]) {
      const rollup = await deploy({ without });
      expect(await saidBy(rollup)).toBe(1n);
      expect(await deposit(rollup, 1n)).toMatchObject({ status: '0x1' });
      expect(await deposit(rollup, 0n)).toBe('InvalidAmount');
    }
  });
});
