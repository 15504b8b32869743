import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { multiplyGenerator } from '@tetrad/rollup-crypto';
import { ZERO_ADDRESS, type Address, type Hex } from '@tetrad/types';
import { Interface } from 'ethers/abi';
import { EthereumClient, RollupCodec, RollupReader, readExitRules } from '../src/index.js';
import { AgreeingRollup } from './agreeing-rollup.js';
import { describeWithAnvil, startChain, type TestChain } from './anvil-chain.js';
import { deployWithTurns } from './contract-with-turns.js';
import { deployAgreeingVerifier } from './agreeing-verifier.js';

describeWithAnvil('a contract that was deployed with turns', () => {
  let chain: TestChain;
  let client: EthereumClient;
  let codec: RollupCodec;
  let contract: Address;
  let [operator, stranger]: Address[] = [];

  beforeAll(async () => {
    [chain, codec] = await Promise.all([startChain(), new RollupCodec()]);
    client = new EthereumClient({ url: chain.url, timeoutMs: 30_000 });
    [operator, stranger] = chain.accounts as [Address, Address];
    const verifier = await deployAgreeingVerifier(chain.create);
    contract = await deployWithTurns(chain.create, {
      operator: operator!,
      operatorKey: multiplyGenerator(99n),
      verifiers: [{ size: 1, verifier }],
    });
  });
  afterAll(async () => {
    await client?.close();
    await chain?.stop();
  });

  const call = (from: Address, name: string, values: readonly unknown[]) => ({
    from,
    to: contract,
    data: codec.encodeCall(name, values),
  });
  const batch = () => ({
    nextStateRoot: 1n,
    ordersRoot: 0n,
    ciphertextCommitment: 0n,
    headers: [(1n << 128n) | (1n << 96n)],
    recipients: [ZERO_ADDRESS],
    leaves: [1n],
    orders: [0n],
    ciphertexts: Array.from({ length: 15 }, () => 0n),
  });

  it('is distinguished from one that freezes', async () => {
    const frozen = await AgreeingRollup.deploy(chain);
    expect(await readExitRules(client, contract)).toBe('turns');
    expect(await readExitRules(client, frozen.contract)).toBe('freeze');
    const reader = new RollupReader(client, codec, contract);
    expect([await reader.exitRules(), await reader.batchLayout(), await reader.minDeposit()]).toEqual([
      'turns',
      2,
      1n,
    ]);
  });

  it('is served with what it has: batches, requests without proofs, times and a change of the operator', async () => {
    const data = codec.encodeSubmitBatch(batch(), new Uint8Array());
    await chain.send({ from: operator!, to: contract, data });
    const { logs } = await chain.send(call(stranger!, 'requestOutboundTransfer', [1, stranger, 0, 5n]));
    expect(logs.map((log) => codec.parseLog(log))).toMatchObject([
      { kind: 'requested', accountId: 1, recipient: stranger, tokenId: 0, amount: 5n },
    ]);
    const refused = await chain.revertData(call(stranger!, 'requestOutboundTransfer', [1, stranger, 0, 5n]));
    expect(codec.errorName(refused as Hex)).toBe('AlreadyRequested');
    const other = await chain.revertData({ from: stranger!, to: contract, data });
    expect(codec.errorName(other as Hex)).toBe('WrongAccountId');
    const answer = await chain.ask<Hex>('eth_call', [call(stranger!, 'turnBlocks', []), 'latest']);
    expect(codec.decodeResult('turnBlocks', answer)[0]).toBe(32n);
    await chain.send(call(operator!, 'setOperator', [stranger]));
  });

  it('says by name why a batch is not accepted now', () => {
    for (const [selector, name] of [
      ['TooEarly', 'uint256'],
      ['DepositOverdue', 'uint256'],
      ['NotYourTurn', ''],
    ] as const)
      expect(codec.errorName(errorData(selector, name))).toBe(selector);
    expect(codec.errorName('0x')).toBeUndefined();
  });
});

/** Data of an error whose only argument, if it has one, is 7. */
function errorData(name: string, type: string): Hex {
  const abi = new Interface([`error ${name}(${type})`]);
  return abi.encodeErrorResult(name, type === '' ? [] : [7n]) as Hex;
}
