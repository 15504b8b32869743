import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  FIELD_MODULUS,
  ciphertextWords,
  claimHash,
  multiplyGenerator,
  rollupDomain,
  sign,
  totalIndex,
} from '@tetrad/rollup-crypto';
import { BatchProver } from '@tetrad/rollup-circuits';
import {
  AccountRecovery,
  MemoryState,
  PublicState,
  applyBatch,
  assembleBatch,
  emptyStateRoot,
  proveAccount,
  proveBalance,
  proveOrder,
  type Batch,
  type RollupOperation,
} from '@tetrad/rollup-state';
import { loadToken, seededRandom } from '@tetrad/testkit';
import type { Address, Hex } from '@tetrad/types';
import { AbiCoder } from 'ethers/abi';
import { deployRollup } from '../src/contract/deploy-rollup.js';
import { encodeOperations } from '../src/contract/batch-operations.js';
import { publishedBatch, type PublishedBatch } from '../src/contract/published-batch.js';
import { RollupCodec } from '../src/contract/rollup-contract.js';
import { stateProofValues } from '../src/contract/state-proofs.js';
import { RollupUser, deposit, depositOrder } from '../../state/src/testing/rollup-user.js';
import { anvilProgram, startChain, type TestChain } from './anvil-chain.js';

const program = anvilProgram();
const UNIT = 1_000_000_000n;
const TIMEOUT = 3600;

(program === undefined ? describe.skip : describe)('the rollup contract', () => {
  let chain: TestChain;
  let codec: RollupCodec;
  let prover: BatchProver;
  let contract: Address;
  let token: Address;
  let [operator, stranger, payer, recipient]: Address[] = [];
  let alice: RollupUser;
  let bob: RollupUser;
  const state = new MemoryState();
  const random = seededRandom(7);
  const draw = () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n;

  beforeAll(async () => {
    [chain, codec, prover] = await Promise.all([
      startChain(program as string),
      new RollupCodec(),
      BatchProver.open({ size: 2 }),
    ]);
    [operator, stranger, payer, recipient] = chain.accounts as [Address, Address, Address, Address];
    const operatorKey = multiplyGenerator(99n);
    contract = await deployRollup(chain.create, {
      operator,
      operatorKey,
      stallTimeoutSeconds: TIMEOUT,
      etherUnit: UNIT,
      sizes: [1, 2],
      verifier: 'optimized',
    });
    const domain = rollupDomain(chain.chainId, contract);
    alice = new RollupUser(1, operatorKey, domain, draw);
    bob = new RollupUser(2, operatorKey, domain, draw);
  });

  afterAll(async () => {
    await prover?.close();
    await chain?.stop();
  });

  const dataOf = (name: string, values: readonly unknown[]) => {
    const [batch, proof] = values;
    const isList = name === 'submitBatch' && 'headers' in (batch as object);
    return isList
      ? codec.encodeSubmitBatch(batch as PublishedBatch, proof as Uint8Array)
      : codec.encodeCall(name, values);
  };
  const call = (from: Address | undefined, name: string, values: readonly unknown[], value = 0n) => ({
    from: from as Address,
    to: contract,
    data: dataOf(name, values),
    value,
  });
  const read = async (name: string, values: readonly unknown[] = []) => {
    const data = await chain.ask<Hex>('eth_call', [
      { to: contract, data: codec.encodeCall(name, values) },
      'latest',
    ]);
    return codec.decodeResult(name, data);
  };
  const rejection = async (
    from: Address | undefined,
    name: string,
    values: readonly unknown[],
    value = 0n,
  ) => {
    const data = await chain.revertData(call(from, name, values, value));
    return data === undefined ? 'accepted' : (codec.errorName(data) ?? data);
  };
  const balanceOf = async (address: Address | undefined) =>
    BigInt(await chain.ask<Hex>('eth_getBalance', [address, 'latest']));
  const prove = async (
    operations: readonly RollupOperation[],
    view: MemoryState | AccountRecovery = state,
  ) => {
    const batch = applyBatch(view, { ...view.next, domain: alice.domain, size: 2 }, operations);
    expect(batch.results.map(({ status }) => status)).toEqual(operations.map(() => 'EXECUTED'));
    const { proof } = await prover.prove(batch.witness);
    return { batch, published: publishedBatch(batch.publicInputs, batch.ciphertexts), proof };
  };
  const submit = async (
    from: Address | undefined,
    made: { batch: Batch; published: PublishedBatch; proof: Uint8Array },
  ) => {
    const receipt = await chain.send(call(from, 'submitBatch', [made.published, made.proof]));
    state.commit(made.batch);
    expect((await read('stateRoot'))[0]).toBe(made.published.nextStateRoot);
    return receipt;
  };

  const events = async () => {
    type Log = { topics: string[]; data: string };
    const filter = { address: contract, fromBlock: '0x0', toBlock: 'latest' };
    const logs = await chain.ask<Log[]>('eth_getLogs', [filter]);
    return logs.map((log) => codec.parseLog(log)).filter((event) => event !== undefined);
  };

  it('begins with the root of an empty state and knows which rollup it is', async () => {
    expect((await read('stateRoot'))[0]).toBe(emptyStateRoot());
    expect((await read('domain'))[0]).toBe(alice.domain);
    expect((await read('operatorKeyX'))[0]).toBe(multiplyGenerator(99n).x);
  });

  it('accepts a proved batch once, and nothing that differs from it in a byte', async () => {
    const made = await prove([alice.create(), bob.create()]);
    const { published, proof } = made;
    const checked = (batch: PublishedBatch, bytes = proof) =>
      rejection(operator, 'submitBatch', [batch, bytes]);
    for (const name of ['nextStateRoot', 'ordersRoot', 'ciphertextCommitment'] as const) {
      const changed = { ...published, [name]: published[name] + 1n };
      expect([name, await checked(changed)]).toEqual([name, 'InvalidProof']);
      const wrapped = { ...published, [name]: published[name] + FIELD_MODULUS };
      expect([name, await checked(wrapped)]).toEqual([name, 'NotAFieldElement']);
    }
    const { nextStateRoot, ordersRoot, ciphertextCommitment } = published;
    const bytes = encodeOperations(published);
    const raw = (operations: Uint8Array, size = 2) =>
      rejection(operator, 'submitBatch', [
        { nextStateRoot, ordersRoot, ciphertextCommitment, size, operations },
        proof,
      ]);
    expect(await raw(bytes)).toBe('accepted');
    for (let place = 0; place < bytes.length; place += place < 40 ? 1 : 13) {
      const changed = bytes.with(place, (bytes[place] as number) ^ 1);
      const refused =
        /^(InvalidProof|WrongLength|WrongAccountId|WrongDeposit|NotAFieldElement|UnknownKind|IncompleteCreation)$/;
      expect([place, await raw(changed)]).toEqual([place, expect.stringMatching(refused)]);
    }
    for (const place of [0, 1000, proof.length - 1]) {
      const other = Uint8Array.from(proof);
      other[place] = (other[place] as number) ^ 1;
      expect([place, await checked(published, other)]).toEqual([place, 'InvalidProof']);
    }
    expect(await checked(published, proof.subarray(32))).toBe('InvalidProof');
    expect(await checked(published, new Uint8Array())).toBe('InvalidProof');
    expect(await rejection(stranger, 'submitBatch', [published, proof])).toBe('NotOperator');
    const receipt = await submit(operator, made);
    // Two operations at 600,000 each, two new accounts included.
    expect(BigInt(receipt.gasUsed)).toBeLessThan(1_200_000n);
    expect(await checked(published)).toBe('WrongAccountId');
    expect((await read('nextAccountId'))[0]).toBe(3n);
  });

  it('refuses operations that are not written as it reads them, before it looks at the proof', async () => {
    const roots = { nextStateRoot: 1n, ordersRoot: 1n, ciphertextCommitment: 1n };
    const checked = (size: number, ...operations: number[]) =>
      rejection(operator, 'submitBatch', [{ ...roots, size, operations: Uint8Array.from(operations) }, '0x']);
    const word = (last: number) => [...new Uint8Array(31), last];
    const account = [0, 0, 0, 3, ...word(1)];
    for (const [said, size, ...bytes] of [
      ['InvalidProof', 1, 0, 0],
      ['InvalidProof', 2, 0, 0, 0, 1, ...word(1)],
      ['InvalidProof', 1, 1, 2, ...account, ...word(5), ...word(1)],
      ['IncompleteCreation', 1, 1, 0, ...account],
      ['InvalidProof', 1, 0, 15, ...Array.from({ length: 15 }, () => word(9)).flat()],
      ['WrongLength', 1],
      ['WrongLength', 1, 0],
      ['WrongLength', 1, 0, 0, 0],
      ['WrongLength', 2, 0, 0],
      ['WrongLength', 1, 0, 0, 0, 0],
      ['WrongLength', 1, 0, 1],
      ['WrongLength', 1, 0, 1, ...word(1).slice(1)],
      ['WrongLength', 1, 0, 1, ...word(0)],
      ['WrongLength', 1, 0, 2, ...word(1), ...word(0)],
      ['WrongLength', 1, 0, 16, ...Array.from({ length: 16 }, () => word(9)).flat()],
      ['WrongLength', 1, 0, 255],
      ...[1, 2, 3, 4, 5, 6, 7].map((kind) => ['WrongLength', 1, kind, 0, ...account.slice(1)] as const),
      ['UnknownKind', 1, 8, 0, ...account],
      ['UnknownKind', 1, 255, 255],
      ['NotAFieldElement', 1, 0, 1, ...new Uint8Array(32).fill(255)],
      ['NotAFieldElement', 1, 1, 0, 0, 0, 0, 3, ...new Uint8Array(32).fill(255)],
      ['UnknownBatchSize', 3, 0, 0, 0, 0, 0, 0],
      ['UnknownBatchSize', 0],
      ['UnknownBatchSize', 2 ** 40],
    ] as const) {
      expect([size, bytes.slice(0, 8), await checked(size, ...bytes)]).toEqual([
        size,
        bytes.slice(0, 8),
        said,
      ]);
    }
  });

  it('refuses a proof of another circuit', async () => {
    const one = await BatchProver.open({ size: 1 });
    const fresh = applyBatch(state, { ...state.next, domain: alice.domain, size: 1 }, []);
    const { proof } = await one.prove(fresh.witness);
    await one.close();
    const earlier = await BatchProver.open({ size: 1, hasConsents: false });
    const view = new MemoryState(false);
    const empty = applyBatch(view, { ...view.next, domain: alice.domain, size: 1 }, []);
    const { proof: proofBefore } = await earlier.prove(empty.witness);
    await earlier.close();
    const single = publishedBatch(fresh.publicInputs, fresh.ciphertexts);
    const pair = applyBatch(state, { ...state.next, domain: alice.domain, size: 2 }, []);
    const double = publishedBatch(pair.publicInputs, pair.ciphertexts);
    expect(await rejection(operator, 'submitBatch', [double, proof])).toBe('InvalidProof');
    expect(await rejection(operator, 'submitBatch', [single, proofBefore])).toBe('InvalidProof');
    expect(await rejection(operator, 'submitBatch', [single, proof])).toBe('accepted');
  });

  it('takes deposits in ether and in tokens, for accounts that there are', async () => {
    const artifact = await loadToken();
    const values = AbiCoder.defaultAbiCoder().encode(
      ['string', 'string', 'uint256'],
      ['Coin', 'C', 10n ** 24n],
    );
    token = await chain.create(artifact.bytecode + values.slice(2));
    expect(await rejection(stranger, 'addToken', [token, 1n])).toBe('NotOperator');
    expect(await rejection(operator, 'addToken', [stranger, 1n])).toBe('InvalidToken');
    expect(await rejection(operator, 'addToken', [token, 0n])).toBe('InvalidAmount');
    await chain.send(call(operator, 'addToken', [token, 1000n]));
    expect(await rejection(payer, 'registerInboundTransferETH', [3], UNIT)).toBe('UnknownAccount');
    expect(await rejection(payer, 'registerInboundTransferETH', [0], UNIT)).toBe('UnknownAccount');
    expect(await rejection(payer, 'registerInboundTransferETH', [1], 0n)).toBe('InvalidAmount');
    expect(await rejection(payer, 'registerInboundTransferETH', [1], UNIT + 1n)).toBe('InvalidAmount');
    expect(await rejection(operator, 'registerInboundTransferERC20', [1, 1, 5n])).toBe('TransferFailed');
    expect(await rejection(operator, 'registerInboundTransferERC20', [1, 0, 5n])).toBe('UnknownToken');
    expect(await rejection(operator, 'registerInboundTransferERC20', [1, 2, 5n])).toBe('UnknownToken');
    const approve = `0x095ea7b3${AbiCoder.defaultAbiCoder()
      .encode(['address', 'uint256'], [contract, 10n ** 24n])
      .slice(2)}`;
    await chain.send({ from: operator as Address, to: token, data: approve });
    await chain.send(call(payer, 'registerInboundTransferETH', [1], 1000n * UNIT));
    await chain.send(call(operator, 'registerInboundTransferERC20', [2, 1, 700n]));
    expect(await balanceOf(contract)).toBe(1000n * UNIT);
    expect((await read('tokens', [1]))['held']).toBe(700n);
  });

  const first = () => deposit(0, alice, 0, 1000n);
  const second = () => deposit(1, bob, 1, 700n);

  it('refuses deposits that were not made or in another order, and makes orders of the others', async () => {
    const made = await prove([first(), second()]);
    const headers = [...made.published.headers].reverse();
    expect(await rejection(operator, 'submitBatch', [{ ...made.published, headers }, made.proof])).toBe(
      'WrongDeposit',
    );
    expect(await rejection(stranger, 'submitBatch', [made.published, made.proof])).toBe('NotOperator');
    await submit(operator, made);
    expect((await read('nextDeposit'))[0]).toBe(2n);
    await submit(
      operator,
      await prove([
        alice.redeem(depositOrder(first()), totalIndex(2, 0), 1),
        bob.redeem(depositOrder(second()), totalIndex(2, 1), 1),
      ]),
    );
  });

  it('pays what leaves the rollup, and is not held up by a recipient that cannot be paid', async () => {
    const before = await balanceOf(recipient);
    // The token has no function that takes ether.
    const made = await prove([
      alice.transferOut(token, 0, 100n, 2),
      alice.transferOut(recipient!, 0, 30n, 3),
    ]);
    await submit(operator, made);
    expect(await balanceOf(recipient)).toBe(before + 30n * UNIT);
    expect((await read('owed', [token, 0]))[0]).toBe(100n);
    expect((await read('tokens', [0]))['held']).toBe(870n);
    expect(await rejection(stranger, 'payOwed', [token, 0])).toBe('TransferFailed');
    expect(await rejection(stranger, 'payOwed', [recipient, 0])).toBe('NothingOwed');
  });

  it('gives the operator requests that circuit and verifier take, past an earlier order too', async () => {
    for (const amount of [1n, 40n])
      await chain.send(call(payer, 'registerInboundTransferETH', [2], amount * UNIT));
    const [dust, large] = [deposit(2, bob, 0, 1n), deposit(3, bob, 0, 40n)];
    await submit(operator, await prove([dust, large]));
    const open = { order: depositOrder(large), totalIndex: totalIndex(state.next.height - 1, 1) };
    const redemption = bob.redeem(open.order, open.totalIndex, 2);
    const account = state.account(2)!;
    if (redemption.kind !== 'redeemMoneyOrder') throw new Error('no redemption');
    const { signature, ciphertext } = redemption;
    const values = stateProofValues.redemption({
      account: proveAccount(state, account),
      balance: proveBalance(account, 0),
      order: proveOrder(state, open),
      text: ciphertextWords(ciphertext),
      signature,
    });
    await chain.send(call(stranger, 'requestRedemption', [state.next.height - 1, values]));
    expect((await read('overdueAt', [2]))[0]).not.toBe(0n);
    // Only the circuit lets an account pass an order that is open: the operator has to.
    const effects = {
      before: account,
      after: {
        ...account,
        nonce: 2,
        redemptionIndex: open.totalIndex,
        balances: new Map([...account.balances, [0, 40n]]),
      },
      order: undefined,
    };
    const plan = { ...state.next, domain: alice.domain, size: 2 };
    const batch = assembleBatch(state, plan, [{ operation: redemption, effects }]);
    const { proof } = await prover.prove(batch.witness);
    await submit(operator, {
      batch,
      proof,
      published: publishedBatch(batch.publicInputs, batch.ciphertexts),
    });
    expect((await read('overdueAt', [2]))[0]).toBe(0n);
    expect(state.account(2)!.balances.get(0)).toBe(40n);
  });

  it('takes credits by a consent with proofs, which leave the request of their receiver open', async () => {
    const untilHeight = state.next.height + 3;
    await submit(operator, await prove([bob.setConsent({ minimum: 5n, untilHeight, tokenId: 0 }, 3)]));
    const account = state.account(2)!;
    const out = bob.transferOut(recipient!, 0, 10n, 4);
    if (out.kind !== 'outboundTransfer') throw new Error('no transfer');
    const request = stateProofValues.transfer({
      account: proveAccount(state, account),
      balance: proveBalance(account, 0),
      amount: 10n,
      recipient: recipient!,
      signature: out.signature,
    });
    const height = state.next.height - 1;
    await chain.send(call(stranger, 'requestTransfer', [height, request]));
    const paid = alice.payDirectly(bob, 0, 25n, 4);
    if (paid.kind !== 'createMoneyOrder') throw new Error('no payment');
    const made = await prove([paid, { kind: 'credit', order: paid.order }]);
    expect(made.published.orders).toEqual([0n, 0n]);
    // A batch that says less, or another kind, is not the one that was proved.
    for (const headers of [
      made.published.headers.with(1, 0n),
      made.published.headers.with(1, (3n << 128n) | (2n << 96n)),
      made.published.headers.with(1, (7n << 128n) | (1n << 96n)),
    ]) {
      const leaves = headers[1] === 0n ? made.published.leaves.with(1, 0n) : made.published.leaves;
      const batch = { ...made.published, headers, leaves };
      expect(await rejection(operator, 'submitBatch', [batch, made.proof])).toBe('InvalidProof');
    }
    await submit(operator, made);
    await chain.send(call(payer, 'registerInboundTransferETH', [2], 15n * UNIT));
    const came = deposit(state.next.inboundFrom, bob, 0, 15n);
    await submit(operator, await prove([came, { kind: 'credit', order: depositOrder(came) }]));
    expect((await read('overdueAt', [2]))[0]).not.toBe(0n);
    expect(state.account(2)!.balances.get(0)).toBe(80n);
    await submit(operator, await prove([out]));
    expect((await read('overdueAt', [2]))[0]).toBe(0n);
  });

  it('pays holders who have their keys and the chain alone, once it is frozen', async () => {
    await chain.send(call(payer, 'registerInboundTransferETH', [2], 20n * UNIT));
    const taken = deposit(state.next.inboundFrom, bob, 0, 20n);
    await submit(operator, await prove([taken]));
    await chain.send(call(payer, 'registerInboundTransferETH', [1], 5n * UNIT));
    const [last] = await read('nextDeposit');
    expect(await rejection(stranger, 'announceByDeposit', [last])).toBe('NotOverdue');
    await chain.passTime(TIMEOUT);
    await chain.send(call(stranger, 'announceByDeposit', [last]));
    expect(await rejection(stranger, 'freezeByDeposit', [last])).toBe('NotOverdue');
    await chain.passTime(TIMEOUT / 4);
    await chain.send(call(stranger, 'freezeByDeposit', [last]));
    expect(await rejection(operator, 'submitBatch', [(await prove([])).published, '0x'])).toBe(
      'RollupFrozen',
    );
    const { secretKey, encryptionKey, domain } = bob;
    const operatorKey = multiplyGenerator(99n);
    const recovered = new AccountRecovery({ domain, secretKey, encryptionKey, operatorKeys: [operatorKey] });
    for (const event of await events()) if (event.kind === 'batch') recovered.apply(event);
    const own = recovered.own!;
    const accountProof = proveAccount(recovered, own);
    const signature = sign(secretKey, claimHash(domain, { accountId: 2, recipient: recipient! }));
    const claim = stateProofValues.claim({ account: accountProof, recipient: recipient!, signature });
    const before = await balanceOf(recipient);
    await chain.send(call(stranger, 'claimAccount', [claim]));
    const balances = [0, 1].map((tokenId) => stateProofValues.balance(proveBalance(own, tokenId)));
    await chain.send(call(stranger, 'withdrawBalances', [2, balances]));
    const orders = recovered.openOrders.map((open) => stateProofValues.order(proveOrder(recovered, open)));
    expect(orders).toHaveLength(1);
    await chain.send(call(stranger, 'withdrawOrders', [2, orders]));
    // What was credited is in the balance.
    expect(await balanceOf(recipient)).toBe(before + 90n * UNIT);
    const paid = `0x70a08231${'00'.repeat(12)}${recipient!.slice(2)}`;
    const tokens = BigInt(await chain.ask<Hex>('eth_call', [{ to: token, data: paid }, 'latest']));
    expect(tokens).toBe(700_000n);
  });

  it('says in its events all that the public side of the state follows from', async () => {
    const rebuilt = new PublicState();
    const all = await events();
    for (const event of all) if (event.kind === 'batch') rebuilt.apply(event);
    expect(rebuilt.height).toBe(state.next.height - 1);
    expect(rebuilt.root).toBe((await read('stateRoot'))[0]);
    const kinds = [
      'balanceWithdrawn',
      'batch',
      'claimed',
      'frozen',
      'inbound',
      'orderWithdrawn',
      'owed',
      'paid',
      'redemptionRequested',
      'token',
      'transferRequested',
    ];
    expect([...new Set(all.map(({ kind }) => kind))].sort()).toEqual(kinds);
    const [batch] = all.filter((event) => event.kind === 'batch');
    expect(() => new PublicState().apply({ ...batch!, leaves: [...batch!.leaves].reverse() })).toThrow(
      /another state root/,
    );
    expect(() => new PublicState().apply({ ...batch!, height: 2 })).toThrow(/batch 1 is next/);
  });
});
