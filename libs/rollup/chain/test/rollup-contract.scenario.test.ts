import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BatchProver } from '@tetrad/rollup-circuits';
import { FIELD_MODULUS, ciphertextWords, claimHash, sign, totalIndex } from '@tetrad/rollup-crypto';
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
} from '@tetrad/rollup-state';
import { loadToken } from '@tetrad/testkit';
import type { Address, Hex } from '@tetrad/types';
import { AbiCoder } from 'ethers/abi';
import { deposit, depositOrder } from '../../state/src/testing/rollup-user.js';
import { encodeOperations } from '../src/contract/batch-operations.js';
import { publishedBatch, type PublishedBatch } from '../src/contract/published-batch.js';
import { stateProofValues } from '../src/contract/state-proofs.js';
import { describeWithAnvil } from './anvil-chain.js';
import { MALFORMED_OPERATIONS } from './malformed-operations.js';
import { OPERATOR_KEY, ProvedRollup, TIMEOUT, UNIT } from './proved-rollup.js';

describeWithAnvil('the rollup contract', () => {
  let rollup: ProvedRollup;
  let token: Address;
  let [operator, stranger, payer, recipient]: Address[] = [];

  beforeAll(async () => {
    rollup = await ProvedRollup.deploy();
    [operator, stranger, payer, recipient] = rollup.chain.accounts;
  });
  afterAll(() => rollup?.close());

  it('begins with the root of an empty state and knows which rollup it is', async () => {
    expect((await rollup.read('stateRoot'))[0]).toBe(emptyStateRoot());
    expect((await rollup.read('domain'))[0]).toBe(rollup.alice.domain);
    expect((await rollup.read('operatorKeyX'))[0]).toBe(OPERATOR_KEY.x);
  });

  it('accepts a proved batch once, and nothing that differs from it in a byte', async () => {
    const made = await rollup.prove([rollup.alice.create(), rollup.bob.create()]);
    const { published, proof } = made;
    const checked = (batch: PublishedBatch, bytes = proof) =>
      rollup.rejection(operator, 'submitBatch', [batch, bytes]);
    for (const name of ['nextStateRoot', 'ordersRoot', 'ciphertextCommitment'] as const) {
      const changed = { ...published, [name]: published[name] + 1n };
      expect([name, await checked(changed)]).toEqual([name, 'InvalidProof']);
      const wrapped = { ...published, [name]: published[name] + FIELD_MODULUS };
      expect([name, await checked(wrapped)]).toEqual([name, 'NotAFieldElement']);
    }
    const { nextStateRoot, ordersRoot, ciphertextCommitment } = published;
    const bytes = encodeOperations(published);
    const raw = (operations: Uint8Array, size = 2) =>
      rollup.rejection(operator, 'submitBatch', [
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
    expect(await rollup.rejection(stranger, 'submitBatch', [published, proof])).toBe('NotOperator');
    const receipt = await rollup.submit(operator, made);
    // Two operations at 600,000 each, two new accounts included.
    expect(BigInt(receipt.gasUsed)).toBeLessThan(1_200_000n);
    expect(await checked(published)).toBe('WrongAccountId');
    expect((await rollup.read('nextAccountId'))[0]).toBe(3n);
  });

  it('refuses operations that are not written as it reads them, before it looks at the proof', async () => {
    const roots = { nextStateRoot: 1n, ordersRoot: 1n, ciphertextCommitment: 1n };
    const checked = (size: number, ...operations: number[]) =>
      rollup.rejection(operator, 'submitBatch', [
        { ...roots, size, operations: Uint8Array.from(operations) },
        '0x',
      ]);
    for (const [said, size, ...bytes] of MALFORMED_OPERATIONS) {
      expect([size, bytes.slice(0, 8), await checked(size, ...bytes)]).toEqual([
        size,
        bytes.slice(0, 8),
        said,
      ]);
    }
  });

  it('refuses a proof of another circuit', async () => {
    const one = await BatchProver.open({ size: 1 });
    const fresh = applyBatch(
      rollup.state,
      { ...rollup.state.next, domain: rollup.alice.domain, size: 1 },
      [],
    );
    const { proof } = await one.prove(fresh.witness);
    await one.close();
    const earlier = await BatchProver.open({ size: 1, hasConsents: false });
    const view = new MemoryState(false);
    const empty = applyBatch(view, { ...view.next, domain: rollup.alice.domain, size: 1 }, []);
    const { proof: proofBefore } = await earlier.prove(empty.witness);
    await earlier.close();
    const single = publishedBatch(fresh.publicInputs, fresh.ciphertexts);
    const pair = applyBatch(rollup.state, { ...rollup.state.next, domain: rollup.alice.domain, size: 2 }, []);
    const double = publishedBatch(pair.publicInputs, pair.ciphertexts);
    expect(await rollup.rejection(operator, 'submitBatch', [double, proof])).toBe('InvalidProof');
    expect(await rollup.rejection(operator, 'submitBatch', [single, proofBefore])).toBe('InvalidProof');
    expect(await rollup.rejection(operator, 'submitBatch', [single, proof])).toBe('accepted');
  });

  it('takes deposits in ether and in tokens, for accounts that there are', async () => {
    const artifact = await loadToken();
    const values = AbiCoder.defaultAbiCoder().encode(
      ['string', 'string', 'uint256'],
      ['Coin', 'C', 10n ** 24n],
    );
    token = await rollup.chain.create(artifact.bytecode + values.slice(2));
    expect(await rollup.rejection(stranger, 'addToken', [token, 1n])).toBe('NotOperator');
    expect(await rollup.rejection(operator, 'addToken', [stranger, 1n])).toBe('InvalidToken');
    expect(await rollup.rejection(operator, 'addToken', [token, 0n])).toBe('InvalidAmount');
    await rollup.chain.send(rollup.call(operator, 'addToken', [token, 1000n]));
    expect(await rollup.rejection(payer, 'registerInboundTransferETH', [3], UNIT)).toBe('UnknownAccount');
    expect(await rollup.rejection(payer, 'registerInboundTransferETH', [0], UNIT)).toBe('UnknownAccount');
    expect(await rollup.rejection(payer, 'registerInboundTransferETH', [1], 0n)).toBe('InvalidAmount');
    expect(await rollup.rejection(payer, 'registerInboundTransferETH', [1], UNIT + 1n)).toBe('InvalidAmount');
    expect(await rollup.rejection(operator, 'registerInboundTransferERC20', [1, 1, 5n])).toBe(
      'TransferFailed',
    );
    expect(await rollup.rejection(operator, 'registerInboundTransferERC20', [1, 0, 5n])).toBe('UnknownToken');
    expect(await rollup.rejection(operator, 'registerInboundTransferERC20', [1, 2, 5n])).toBe('UnknownToken');
    const approve = `0x095ea7b3${AbiCoder.defaultAbiCoder()
      .encode(['address', 'uint256'], [rollup.contract, 10n ** 24n])
      .slice(2)}`;
    await rollup.chain.send({ from: operator as Address, to: token, data: approve });
    await rollup.chain.send(rollup.call(payer, 'registerInboundTransferETH', [1], 1000n * UNIT));
    await rollup.chain.send(rollup.call(operator, 'registerInboundTransferERC20', [2, 1, 700n]));
    expect(await rollup.balanceOf(rollup.contract)).toBe(1000n * UNIT);
    expect((await rollup.read('tokens', [1]))['held']).toBe(700n);
  });

  const first = () => deposit(0, rollup.alice, 0, 1000n);
  const second = () => deposit(1, rollup.bob, 1, 700n);

  it('refuses deposits that were not made or in another order, and makes orders of the others', async () => {
    const made = await rollup.stated([first(), second()]);
    const headers = [...made.published.headers].reverse();
    expect(
      await rollup.rejection(operator, 'submitBatch', [{ ...made.published, headers }, made.proof]),
    ).toBe('WrongDeposit');
    expect(await rollup.rejection(stranger, 'submitBatch', [made.published, made.proof])).toBe('NotOperator');
    await rollup.submit(operator, made);
    expect((await rollup.read('nextDeposit'))[0]).toBe(2n);
    await rollup.submit(
      operator,
      await rollup.prove([
        rollup.alice.redeem(depositOrder(first()), totalIndex(2, 0), 1),
        rollup.bob.redeem(depositOrder(second()), totalIndex(2, 1), 1),
      ]),
    );
  });

  it('pays what leaves the rollup, and is not held up by a recipient that cannot be paid', async () => {
    const before = await rollup.balanceOf(recipient);
    // The token has no function that takes ether.
    const made = await rollup.stated([
      rollup.alice.transferOut(token, 0, 100n, 2),
      rollup.alice.transferOut(recipient!, 0, 30n, 3),
    ]);
    await rollup.submit(operator, made);
    expect(await rollup.balanceOf(recipient)).toBe(before + 30n * UNIT);
    expect((await rollup.read('owed', [token, 0]))[0]).toBe(100n);
    expect((await rollup.read('tokens', [0]))['held']).toBe(870n);
    expect(await rollup.rejection(stranger, 'payOwed', [token, 0])).toBe('TransferFailed');
    expect(await rollup.rejection(stranger, 'payOwed', [recipient, 0])).toBe('NothingOwed');
  });

  it('gives the operator requests that circuit and verifier take, past an earlier order too', async () => {
    for (const amount of [1n, 40n])
      await rollup.chain.send(rollup.call(payer, 'registerInboundTransferETH', [2], amount * UNIT));
    const [dust, large] = [deposit(2, rollup.bob, 0, 1n), deposit(3, rollup.bob, 0, 40n)];
    await rollup.submit(operator, await rollup.stated([dust, large]));
    const open = { order: depositOrder(large), totalIndex: totalIndex(rollup.state.next.height - 1, 1) };
    const redemption = rollup.bob.redeem(open.order, open.totalIndex, 2);
    const account = rollup.state.account(2)!;
    if (redemption.kind !== 'redeemMoneyOrder') throw new Error('no redemption');
    const { signature, ciphertext } = redemption;
    const values = stateProofValues.redemption({
      account: proveAccount(rollup.state, account),
      balance: proveBalance(account, 0),
      order: proveOrder(rollup.state, open),
      text: ciphertextWords(ciphertext),
      signature,
    });
    await rollup.chain.send(
      rollup.call(stranger, 'requestRedemption', [rollup.state.next.height - 1, values]),
    );
    expect((await rollup.read('overdueAt', [2]))[0]).not.toBe(0n);
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
    const plan = { ...rollup.state.next, domain: rollup.alice.domain, size: 2 };
    const batch = assembleBatch(rollup.state, plan, [{ operation: redemption, effects }]);
    const { proof } = await rollup.prover.prove(batch.witness);
    await rollup.submit(operator, {
      batch,
      proof,
      published: publishedBatch(batch.publicInputs, batch.ciphertexts),
    });
    expect((await rollup.read('overdueAt', [2]))[0]).toBe(0n);
    expect(rollup.state.account(2)!.balances.get(0)).toBe(40n);
  });

  it('takes credits by a consent with proofs, which leave the request of their receiver open', async () => {
    const untilHeight = rollup.state.next.height + 3;
    await rollup.submit(
      operator,
      await rollup.stated([rollup.bob.setConsent({ minimum: 5n, untilHeight, tokenId: 0 }, 3)]),
    );
    const account = rollup.state.account(2)!;
    const out = rollup.bob.transferOut(recipient!, 0, 10n, 4);
    if (out.kind !== 'outboundTransfer') throw new Error('no transfer');
    const request = stateProofValues.transfer({
      account: proveAccount(rollup.state, account),
      balance: proveBalance(account, 0),
      amount: 10n,
      recipient: recipient!,
      signature: out.signature,
    });
    const height = rollup.state.next.height - 1;
    await rollup.chain.send(rollup.call(stranger, 'requestTransfer', [height, request]));
    const paid = rollup.alice.payDirectly(rollup.bob, 0, 25n, 4);
    if (paid.kind !== 'createMoneyOrder') throw new Error('no payment');
    const made = await rollup.prove([paid, { kind: 'credit', order: paid.order }]);
    expect(made.published.orders).toEqual([0n, 0n]);
    // A batch that says less, or another kind, is not the one that was proved.
    for (const headers of [
      made.published.headers.with(1, 0n),
      made.published.headers.with(1, (3n << 128n) | (2n << 96n)),
      made.published.headers.with(1, (7n << 128n) | (1n << 96n)),
    ]) {
      const leaves = headers[1] === 0n ? made.published.leaves.with(1, 0n) : made.published.leaves;
      const batch = { ...made.published, headers, leaves };
      expect(await rollup.rejection(operator, 'submitBatch', [batch, made.proof])).toBe('InvalidProof');
    }
    await rollup.submit(operator, made);
    await rollup.chain.send(rollup.call(payer, 'registerInboundTransferETH', [2], 15n * UNIT));
    const came = deposit(rollup.state.next.inboundFrom, rollup.bob, 0, 15n);
    await rollup.submit(operator, await rollup.stated([came, { kind: 'credit', order: depositOrder(came) }]));
    expect((await rollup.read('overdueAt', [2]))[0]).not.toBe(0n);
    expect(rollup.state.account(2)!.balances.get(0)).toBe(80n);
    await rollup.submit(operator, await rollup.stated([out]));
    expect((await rollup.read('overdueAt', [2]))[0]).toBe(0n);
  });

  it('pays holders who have their keys and the chain alone, once it is frozen', async () => {
    await rollup.chain.send(rollup.call(payer, 'registerInboundTransferETH', [2], 20n * UNIT));
    const taken = deposit(rollup.state.next.inboundFrom, rollup.bob, 0, 20n);
    await rollup.submit(operator, await rollup.stated([taken]));
    await rollup.chain.send(rollup.call(payer, 'registerInboundTransferETH', [1], 5n * UNIT));
    const [last] = await rollup.read('nextDeposit');
    expect(await rollup.rejection(stranger, 'announceByDeposit', [last])).toBe('NotOverdue');
    await rollup.chain.passTime(TIMEOUT);
    await rollup.chain.send(rollup.call(stranger, 'announceByDeposit', [last]));
    expect(await rollup.rejection(stranger, 'freezeByDeposit', [last])).toBe('NotOverdue');
    await rollup.chain.passTime(TIMEOUT / 4);
    await rollup.chain.send(rollup.call(stranger, 'freezeByDeposit', [last]));
    expect(await rollup.rejection(operator, 'submitBatch', [(await rollup.stated([])).published, '0x'])).toBe(
      'RollupFrozen',
    );
    const { secretKey, encryptionKey, domain } = rollup.bob;
    const operatorKey = OPERATOR_KEY;
    const recovered = new AccountRecovery({ domain, secretKey, encryptionKey, operatorKeys: [operatorKey] });
    for (const event of await rollup.events()) if (event.kind === 'batch') recovered.apply(event);
    const own = recovered.own!;
    const accountProof = proveAccount(recovered, own);
    const signature = sign(secretKey, claimHash(domain, { accountId: 2, recipient: recipient! }));
    const claim = stateProofValues.claim({ account: accountProof, recipient: recipient!, signature });
    const before = await rollup.balanceOf(recipient);
    await rollup.chain.send(rollup.call(stranger, 'claimAccount', [claim]));
    const balances = [0, 1].map((tokenId) => stateProofValues.balance(proveBalance(own, tokenId)));
    await rollup.chain.send(rollup.call(stranger, 'withdrawBalances', [2, balances]));
    const orders = recovered.openOrders.map((open) => stateProofValues.order(proveOrder(recovered, open)));
    expect(orders).toHaveLength(1);
    await rollup.chain.send(rollup.call(stranger, 'withdrawOrders', [2, orders]));
    // What was credited is in the balance.
    expect(await rollup.balanceOf(recipient)).toBe(before + 90n * UNIT);
    const paid = `0x70a08231${'00'.repeat(12)}${recipient!.slice(2)}`;
    const tokens = BigInt(await rollup.chain.ask<Hex>('eth_call', [{ to: token, data: paid }, 'latest']));
    expect(tokens).toBe(700_000n);
  });

  it('says in its events all that the public side of the state follows from', async () => {
    const rebuilt = new PublicState();
    const all = await rollup.events();
    for (const event of all) if (event.kind === 'batch') rebuilt.apply(event);
    expect(rebuilt.height).toBe(rollup.state.next.height - 1);
    expect(rebuilt.root).toBe((await rollup.read('stateRoot'))[0]);
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
