import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  FIELD_MODULUS,
  GROUP_ORDER,
  ciphertextWords,
  claimHash,
  multiplyGenerator,
  sign,
  totalIndex,
} from '@tetrad/rollup-crypto';
import { MemoryState, applyBatch, proveAccount, proveBalance, proveOrder } from '@tetrad/rollup-state';
import { seededRandom } from '@tetrad/testkit';
import { hexFromBytes, bytesFromHex, parseAddress, type Hex } from '@tetrad/types';
import fc from 'fast-check';
import { stateProofValues } from '../src/contract/state-proofs.js';
import { RollupUser, deposit, depositOrder } from '../../state/src/testing/rollup-user.js';
import { describeWithAnvil } from './anvil-chain.js';
import { EvmContract } from './evm-contract.js';

const DOMAIN = 31337n;
const RECIPIENT = parseAddress('0xca843569e3427144cead5e4d5999a3d0ccf92b8e');
const WORD = 32;

/** A state in which account 1 has 70 units of token 0 and an open order of 50 of token 2. */
function smallState() {
  const random = seededRandom(11);
  const draw = () => BigInt(Math.floor(random() * 2 ** 48)) ** 5n;
  const state = new MemoryState();
  const operatorKey = multiplyGenerator(23n);
  const users = [1, 2, 3].map((id) => new RollupUser(id, operatorKey, DOMAIN, draw)) as [
    RollupUser,
    RollupUser,
    RollupUser,
  ];
  const apply = (operations: Parameters<typeof applyBatch>[2]) => {
    const batch = applyBatch(state, { ...state.next, domain: DOMAIN, size: 4 }, operations);
    expect(batch.results.map(({ status }) => status)).toEqual(operations.map(() => 'EXECUTED'));
    state.commit(batch);
    return batch.publicInputs.nextStateRoot;
  };
  const [alice] = users;
  const first = deposit(0, alice, 0, 70n);
  const second = deposit(1, alice, 2, 50n);
  apply(users.map((user) => user.create()));
  apply([first, second]);
  const stateRoot = apply([alice.redeem(depositOrder(first), totalIndex(2, 0), 1)]);
  return { state, alice, stateRoot, open: { order: depositOrder(second), totalIndex: totalIndex(2, 1) } };
}

describeWithAnvil('state proofs in Solidity', () => {
  let contract: EvmContract;
  beforeAll(async () => {
    contract = await EvmContract.create('proofs.sol', 'ProofCalls');
  });
  afterAll(() => contract?.stop());

  const { state, alice, stateRoot, open } = smallState();
  const account = proveAccount(state, state.account(1)!);
  const balance = proveBalance(state.account(1)!, 0);
  const signature = (operation: unknown) =>
    (operation as { readonly signature: ReturnType<typeof sign> }).signature;

  const transfer = (amount: bigint, nonce = 2) =>
    stateProofValues.transfer({
      account,
      balance,
      amount,
      recipient: RECIPIENT,
      signature: signature(alice.transferOut(RECIPIENT, 0, amount, nonce)),
    });
  const redemption = (nonce = 2) => {
    const operation = alice.redeem(open.order, open.totalIndex, nonce);
    if (operation.kind !== 'redeemMoneyOrder') throw new Error('no redemption');
    return stateProofValues.redemption({
      account,
      balance: proveBalance(state.account(1)!, 2),
      order: proveOrder(state, open),
      text: ciphertextWords(operation.ciphertext),
      signature: signature(operation),
    });
  };
  const claim = () =>
    stateProofValues.claim({
      account,
      recipient: RECIPIENT,
      signature: sign(alice.secretKey, claimHash(DOMAIN, { accountId: 1, recipient: RECIPIENT })),
    });

  const calls: Readonly<Record<string, () => Hex>> = {
    transfer: () => data('requireTransfer', [transfer(70n), DOMAIN, stateRoot]),
    redemption: () => data('requireRedemption', [redemption(), DOMAIN, stateRoot]),
    claim: () => data('requireClaim', [claim(), DOMAIN, stateRoot]),
    balance: () =>
      data('requireBalance', [
        account.balancesRoot,
        stateProofValues.balance(proveBalance(state.account(1)!, 0)),
      ]),
    order: () =>
      data('requireOrder', [
        account.historyRoot,
        1,
        open.totalIndex - 1,
        stateProofValues.order(proveOrder(state, open)),
      ]),
  };
  const data = (name: string, values: readonly unknown[]): Hex =>
    contract.abi.encodeFunctionData(name, values) as Hex;

  it.each(Object.keys(calls))('of a %s are accepted', async (name) => {
    expect(await contract.check(calls[name]!())).toBe('accepted');
  });

  it.each(Object.keys(calls))(
    'of a %s are refused when any word is another, or above the modulus',
    async (name) => {
      const whole = bytesFromHex(calls[name]!());
      const places = (whole.length - 4) / WORD;
      const change = fc.oneof(
        fc.constantFrom(1n, -1n, FIELD_MODULUS, GROUP_ORDER, 1n << 32n, 1n << 48n, 1n << 64n, 1n << 160n),
        fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }),
      );
      await fc.assert(
        fc.asyncProperty(fc.nat(places - 1), change, async (place, by) => {
          const start = 4 + WORD * place;
          const word = BigInt(hexFromBytes(whole.subarray(start, start + WORD)));
          const changed = BigInt.asUintN(256, word + by);
          // Every order after an earlier one is redeemable too.
          fc.pre(name !== 'order' || place !== 2 || changed >= BigInt(open.totalIndex));
          const bytes = Uint8Array.from(whole);
          bytes.set(bytesFromHex(`0x${changed.toString(16).padStart(64, '0')}`), start);
          expect([place, by, await contract.check(hexFromBytes(bytes))]).not.toEqual([place, by, 'accepted']);
        }),
        { numRuns: 30 },
      );
    },
  );

  it('are refused by name', async () => {
    const check = (name: string, values: readonly unknown[]) => contract.check(data(name, values));
    expect(await check('requireTransfer', [transfer(71n), DOMAIN, stateRoot])).toBe('BalanceTooLow');
    expect(await check('requireTransfer', [transfer(1n, 1), DOMAIN, stateRoot])).toBe('InvalidSignature');
    expect(await check('requireTransfer', [transfer(1n, 3), DOMAIN, stateRoot])).toBe('InvalidSignature');
    expect(await check('requireTransfer', [transfer(1n), DOMAIN, stateRoot + 1n])).toBe('NotInState');
    expect(await check('requireRedemption', [redemption(3), DOMAIN, stateRoot])).toBe('InvalidSignature');
    const redeemed = [...redemption()];
    redeemed[0] = stateProofValues.account({ ...account, redemptionIndex: open.totalIndex });
    expect(await check('requireRedemption', [redeemed, DOMAIN, stateRoot])).toBe('NotInState');
    const { historyRoot } = account;
    const order = stateProofValues.order(proveOrder(state, open));
    expect(await check('requireOrder', [historyRoot, 1, open.totalIndex, order])).toBe('OrderRedeemed');
    expect(await check('requireOrder', [historyRoot, 2, 0, order])).toBe('WrongOrder');
    const other = stateProofValues.balance(proveBalance(state.account(1)!, 1));
    const withOther = [...redemption()];
    withOther[1] = other;
    expect(await check('requireRedemption', [withOther, DOMAIN, stateRoot])).toBe('WrongBalance');
  });

  it('of nodes in place of leaves are refused: a tree has one depth', async () => {
    const { siblings, tokenId, amount } = proveBalance(state.account(1)!, 0);
    const higher = [tokenId, amount, [...siblings.slice(1), 0n]];
    expect(await contract.check(data('requireBalance', [account.balancesRoot, higher]))).toBe('WrongBalance');
    const far = [256, 0n, siblings];
    expect(await contract.check(data('requireBalance', [account.balancesRoot, far]))).toBe('InvalidWord');
  });
});
