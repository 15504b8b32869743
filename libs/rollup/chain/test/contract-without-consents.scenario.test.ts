import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BatchProver } from '@tetrad/rollup-circuits';
import {
  ciphertextWords,
  claimHash,
  multiplyGenerator,
  rollupDomain,
  sign,
  totalIndex,
} from '@tetrad/rollup-crypto';
import {
  AccountRecovery,
  MemoryState,
  applyBatch,
  proveAccount,
  proveBalance,
  proveOrder,
  type Batch,
  type RollupOperation,
} from '@tetrad/rollup-state';
import { seededRandom } from '@tetrad/testkit';
import type { Address, Hex } from '@tetrad/types';
import { stateProofValues } from '../src/contract/state-proofs.js';
import { EthereumClient, RollupCodec, RollupReader, publishedBatch, readExitRules } from '../src/index.js';
import { RollupUser, deposit, depositOrder } from '../../state/src/testing/rollup-user.js';
import { describeWithAnvil, startChain, type Receipt, type TestChain } from './anvil-chain.js';
import { deployWithoutConsents } from './contract-without-consents.js';
import { statementOf } from './stated-proofs.js';

const SIZE = 2;
const UNIT = 1_000_000_000n;
const TIMEOUT = 3_600;
const operatorKey = multiplyGenerator(99n);

describeWithAnvil('a contract without consents', () => {
  let chain: TestChain;
  let client: EthereumClient;
  let codec: RollupCodec;
  let prover: BatchProver;
  let contract: Address;
  let [operator, stranger, recipient]: Address[] = [];
  let [alice, bob]: RollupUser[] = [];
  const state = new MemoryState(false);

  beforeAll(async () => {
    [chain, codec, prover] = await Promise.all([
      startChain(['--hardfork', 'cancun']),
      new RollupCodec(),
      BatchProver.open({ size: SIZE, hasConsents: false, threads: 1 }),
    ]);
    client = new EthereumClient({ url: chain.url, timeoutMs: 30_000 });
    [operator, stranger, recipient] = chain.accounts as [Address, Address, Address];
    contract = await deployWithoutConsents(chain.create, {
      operator,
      operatorKey,
      sizes: [1, SIZE],
      isStated: true,
    });
    const random = seededRandom(8);
    const draw = () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n;
    const domain = rollupDomain(chain.chainId, contract);
    [alice, bob] = [1, 2].map((id) => new RollupUser(id, operatorKey, domain, draw));
  });
  afterAll(async () => {
    await prover?.close();
    await client?.close();
    await chain?.stop();
  });

  const call = (from: Address | undefined, name: string, values: readonly unknown[], value = 0n) => ({
    from: from as Address,
    to: contract,
    data: codec.encodeCall(name, values),
    value,
  });
  const refusal = async (from: Address | undefined, data: Hex) => {
    const answer = await chain.revertData({ from: from as Address, to: contract, data });
    return answer === undefined ? 'accepted' : (codec.errorName(answer) ?? answer);
  };
  const read = async (name: string, values: readonly unknown[] = []) => {
    const data = codec.encodeCall(name, values);
    return codec.decodeResult(name, await chain.ask<Hex>('eth_call', [{ to: contract, data }, 'latest']));
  };
  const draw = (operations: readonly RollupOperation[]) => {
    const plan = { ...state.next, domain: alice!.domain, size: SIZE };
    const batch = applyBatch(state, plan, operations);
    expect(batch.results.map(({ status }) => status)).toEqual(operations.map(() => 'EXECUTED'));
    return batch;
  };
  const submitAs = async ({ batch, proof }: { batch: Batch; proof: Uint8Array }): Promise<void> => {
    const published = publishedBatch(batch.publicInputs, batch.ciphertexts);
    const data = codec.encodeSubmitBatch(published, proof, 2);
    await chain.send({ from: operator!, to: contract, data });
    state.commit(batch);
    expect((await read('stateRoot'))[0]).toBe(batch.publicInputs.nextStateRoot);
  };
  /** The circuit is executed, and its public inputs stated in place of a proof. */
  const submit = async (...operations: readonly RollupOperation[]): Promise<void> => {
    const batch = draw(operations);
    await prover.execute(batch.witness);
    await submitAs({ batch, proof: statementOf(batch.publicInputs) });
  };
  const eventsOf = ({ logs }: Pick<Receipt, 'logs'>) => logs.map((log) => codec.parseLog(log));

  it('is distinguished from one that has them', async () => {
    const reader = new RollupReader(client, codec, contract);
    expect([await reader.batchLayout(), await reader.hasConsents()]).toEqual([2, false]);
    expect(await readExitRules(client, contract)).toBe('freeze');
  });

  it('takes batches of the earlier circuit, and none of the present one', async () => {
    const created = draw([alice!.create(), bob!.create()]);
    const present = await BatchProver.open({ size: SIZE, threads: 1 });
    const other = new MemoryState();
    const batch = applyBatch(other, { ...other.next, domain: alice!.domain, size: SIZE }, [
      alice!.create(),
      bob!.create(),
    ]);
    const { proof } = await present.prove(batch.witness);
    await expect(present.prove(created.witness)).rejects.toThrow(
      'the circuit is for contracts with consents, and the batch for others',
    );
    await present.close();
    const published = publishedBatch(batch.publicInputs, batch.ciphertexts);
    expect(await refusal(operator, codec.encodeSubmitBatch(published, proof, 2))).toBe('InvalidProof');
    await submitAs({ batch: created, proof: (await prover.prove(created.witness)).proof });
    await chain.send(call(stranger, 'registerInboundTransferETH', [1], 100n * UNIT));
    const came = deposit(0, alice!, 0, 100n);
    await submit(came);
    await submit(alice!.redeem(depositOrder(came), totalIndex(2, 0), 1));
    await submit(alice!.pay(bob!, 0, 40n, 2), alice!.transferOut(recipient!, 0, 10n, 3));
    const wanted = { headers: [6n << 128n, 0n], leaves: [0n, 0n], orders: [0n, 0n] };
    const consent = { ...publishedBatch(created.publicInputs, created.ciphertexts), ...wanted };
    expect(await refusal(operator, codec.encodeSubmitBatch(consent, new Uint8Array(), 2))).toBe(
      'UnknownKind',
    );
  });

  const proofsOf = (id: number) => {
    const account = state.account(id)!;
    return { account: proveAccount(state, account), balance: proveBalance(account, 0) };
  };

  it('takes requests with proofs of leaves of eight words, and says them again in its events', async () => {
    const height = state.next.height - 1;
    const signed = alice!.transferOut(recipient!, 0, 5n, 4);
    if (signed.kind !== 'outboundTransfer') throw new TypeError('no transfer');
    const transfer = { ...proofsOf(1), amount: 5n, recipient: recipient!, signature: signed.signature };
    expect(transfer.account.consent).toBeUndefined();
    const nine = { ...transfer, account: { ...transfer.account, consent: 0n } };
    const wrong = call(stranger, 'requestTransfer', [height, stateProofValues.transfer(nine)]);
    expect(await refusal(stranger, wrong.data)).toBe('0x');
    const values = [height, stateProofValues.transfer(transfer)];
    const [said] = eventsOf(await chain.send(call(stranger, 'requestTransfer', values)));
    const overdueAt = expect.any(Number);
    expect(said).toEqual({ kind: 'transferRequested', accountId: 1, overdueAt, transfer });
    const { openOrders } = await recovered(bob!);
    const [paid] = openOrders;
    const redemption = bob!.redeem(paid!.order, paid!.totalIndex, 1);
    if (redemption.kind !== 'redeemMoneyOrder') throw new TypeError('no redemption');
    const { signature, ciphertext } = redemption;
    const order = proveOrder(state, paid!);
    const proved = { ...proofsOf(2), order, text: ciphertextWords(ciphertext), signature };
    const asked = call(stranger, 'requestRedemption', [height, stateProofValues.redemption(proved)]);
    const [repeated] = eventsOf(await chain.send(asked));
    expect(repeated).toEqual({ kind: 'redemptionRequested', accountId: 2, overdueAt, redemption: proved });
    await submit(signed);
    expect((await read('overdueAt', [1]))[0]).toBe(0n);
    expect((await read('overdueAt', [2]))[0]).not.toBe(0n);
  });

  it('pays holders by proofs of leaves of eight words, once it is frozen', async () => {
    await chain.passTime(2 * TIMEOUT);
    await chain.send(call(stranger, 'announceByRequest', [2]));
    await chain.passTime(TIMEOUT);
    await chain.send(call(stranger, 'freezeByRequest', [2]));
    const before = await balanceOf();
    for (const [id, user] of [[1, alice!] as const, [2, bob!] as const]) {
      const holder = await recovered(user);
      const account = holder.own!;
      expect(account.consent).toBeUndefined();
      expect(holder.next.hasConsents).toBe(false);
      const signature = sign(
        user.secretKey,
        claimHash(user.domain, { accountId: id, recipient: recipient! }),
      );
      const claim = { account: proveAccount(holder, account), recipient: recipient!, signature };
      await chain.send(call(stranger, 'claimAccount', [stateProofValues.claim(claim)]));
      const balances = [...account.balances.keys()].map((tokenId) =>
        stateProofValues.balance(proveBalance(account, tokenId)),
      );
      await chain.send(call(stranger, 'withdrawBalances', [id, balances]));
      const orders = holder.openOrders.map((open) => stateProofValues.order(proveOrder(holder, open)));
      await chain.send(call(stranger, 'withdrawOrders', [id, orders]));
    }
    expect(await balanceOf()).toBe(before + 85n * UNIT);
    expect((await read('tokens', [0]))['held']).toBe(0n);
  });

  const balanceOf = async () => BigInt(await chain.ask<Hex>('eth_getBalance', [recipient, 'latest']));

  /** An account from its keys and the chain alone. */
  const recovered = async ({ secretKey, encryptionKey, domain }: RollupUser) => {
    const recovery = new AccountRecovery({ domain, secretKey, encryptionKey, operatorKeys: [operatorKey] });
    const filter = { address: contract, fromBlock: '0x0', toBlock: 'latest' };
    const logs = await chain.ask<Receipt['logs']>('eth_getLogs', [filter]);
    for (const event of eventsOf({ logs })) if (event?.kind === 'batch') recovery.apply(event);
    return recovery;
  };
});
