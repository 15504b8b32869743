import { describe, expect, it } from '@jest/globals';
import { LEAVES_IN_PROOF } from '@tetrad/rollup-circuits';
import { multiplyGenerator, totalIndex } from '@tetrad/rollup-crypto';
import { parseAddress } from '@tetrad/types';
import { formatViewKey, parseViewKey, signViewKey } from '../src/audit/view-key-file.js';
import {
  DisclosureError,
  auditViewKey,
  makeViewKey,
  type SignedViewKey,
  type ViewKey,
} from '../src/index.js';
import { IdealLeafProver } from './audited-rollup.js';
import { auditedHistory } from './audited-history.js';

const { rollup, alice, bob } = auditedHistory();
const prover = new IdealLeafProver();
const common = { auditor: 'Audit Ltd', purpose: 'accounts of 2026', fromBlock: 0, prover };
const disclose = (who: typeof alice, showsAllReceived = true) =>
  makeViewKey(rollup.contract(), who.keys, { ...common, from: 5, to: 8, showsAllReceived });
const [honest, partial, ofBob] = await Promise.all([disclose(alice), disclose(alice, false), disclose(bob)]);

const audit = (signed: SignedViewKey) =>
  auditViewKey(rollup.contract(), parseViewKey(formatViewKey(signed)), { verifier: prover, fromBlock: 0 });
/** What a dishonest holder does: she changes it, and signs again. */
const changed = (change: (viewKey: ViewKey) => Partial<ViewKey>, from = honest) =>
  audit(signViewKey({ ...from.viewKey, ...change(from.viewKey) }, alice.keys.secretKey));
const without = <Item>(items: readonly Item[], index: number) => items.filter((_, at) => at !== index);
const replaced = <Item>(items: readonly Item[], index: number, change: Partial<Item>) =>
  items.map((item, at) => (at === index ? { ...item, ...change } : item));

const refused = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'accepted',
    (error: Error) => {
      expect(error).toBeInstanceOf(DisclosureError);
      return error.message.replace('the view key is refused: ', '');
    },
  );

it('what is signed again without a change is accepted', async () => {
  await expect(changed(() => ({}))).resolves.toMatchObject({ accountId: 1 });
});

describe('a holder who leaves something out', () => {
  it('is found by the operation on the chain', async () => {
    expect(await refused(changed(({ sent }) => ({ sent: without(sent, 0) })))).toBe(
      'operation 0 of batch 5: is a payment of the account, and the view key leaves it out',
    );
    expect(await refused(changed(({ withdrawn }) => ({ withdrawn: without(withdrawn, 0) })))).toBe(
      'operation 1 of batch 5: is another transfer out than the view key says',
    );
    expect(await refused(changed(({ redeemed }) => ({ redeemed: without(redeemed, 0) })))).toBe(
      'operation 0 of batch 6: is a redemption of the account, and the view key leaves it out',
    );
  });

  it('is found by the keys of the texts when it is an order that nothing redeems', async () => {
    const last = honest.viewKey.received.findIndex(({ at }) => at === totalIndex(8, 0));
    const leaveOut = ({ received }: ViewKey) => ({ received: without(received, last) });
    expect(await refused(changed(leaveOut))).toBe(
      'operation 0 of batch 8: is an order for the account, and the view key leaves it out',
    );
    // Without the keys nothing shows it, and the report says so.
    await expect(changed(leaveOut, partial)).resolves.toMatchObject({ isReceivedComplete: false });
  });

  it('is found when it is an order that was redeemed', async () => {
    const index = partial.viewKey.received.findIndex(({ at }) => at === totalIndex(5, 2));
    expect(await refused(changed(({ received }) => ({ received: without(received, index) }), partial))).toBe(
      `operation 0 of batch 7: redeems order ${totalIndex(5, 2)}, which is not opened`,
    );
    expect(await refused(changed(({ received }) => ({ received: without(received, 0) })))).toBe(
      `operation 0 of batch 6: redeems order ${totalIndex(4, 0)}, which is not opened`,
    );
  });

  it('cannot give other keys for the texts, fewer or more, nor name another encryption key', async () => {
    const { sharedKeys } = honest.viewKey;
    const keys = sharedKeys?.keys ?? [];
    const withKeys = (others: typeof keys) => ({ sharedKeys: { ...sharedKeys!, keys: others } });
    const last = honest.viewKey.received.length - 1;
    const noise = keys.map((key, index) => (index === keys.length - 2 ? multiplyGenerator(5n) : key));
    expect(
      await refused(changed(({ received }) => ({ ...withKeys(noise), received: without(received, last) }))),
    ).toBe('sharedKeys: are not the keys of account 1 for these money orders');
    expect(await refused(changed(() => withKeys(keys.slice(1))))).toMatch(
      /^sharedKeys|is an order for the account/,
    );
    expect(await refused(changed(() => withKeys([...keys, multiplyGenerator(5n)])))).toBe(
      'sharedKeys.keys: are more than the money orders of the period',
    );
    expect(await refused(changed(() => withKeys([])))).toBe(
      'sharedKeys.keys: are fewer than the money orders of the period',
    );
    // Those of another key open nothing, and are right for that key; the leaf has another.
    const { account, sharedKeys: others } = ofBob.viewKey;
    const disguised = changed(({ account: own, received }) => ({
      account: { ...own, jointKey: account.jointKey },
      sharedKeys: others,
      received: without(received, last),
    }));
    expect(await refused(disguised)).toBe(
      'leafProofs.0: keys, balances, nonces or redemptions are not those that account 1 had on the chain',
    );
  });
});

describe('a holder who says something else', () => {
  it.each([
    ['amount', { amount: 59n }],
    ['receiver', { toAccountId: 3 }],
    ['token', { tokenId: 1 }],
  ])('of the %s of a payment is found by the order on the chain', async (_, change) => {
    expect(await refused(changed(({ sent }) => ({ sent: replaced(sent, 0, change) })))).toBe(
      'operation 0 of batch 5: is another payment than the view key says',
    );
  });

  it('of who sent an order is found, in the period and before it', async () => {
    const change = { fromAccountId: 3 };
    const index = honest.viewKey.received.findIndex(({ at }) => at === totalIndex(5, 2));
    expect(await refused(changed(({ received }) => ({ received: replaced(received, index, change) })))).toBe(
      'operation 2 of batch 5: is another order than the view key says',
    );
    expect(await refused(changed(({ received }) => ({ received: replaced(received, 0, change) })))).toBe(
      'operation 0 of batch 4: its proof does not lead to the history of the contract',
    );
    const amount = { amount: 8n };
    expect(await refused(changed(({ received }) => ({ received: replaced(received, 0, amount) })))).toMatch(
      /^operation 0 of batch 4: its proof/,
    );
  });

  it('of which order was redeemed is found by the leaves', async () => {
    const [first, second] = honest.viewKey.redeemed;
    const deposit = totalIndex(6, 2);
    // Of 9 units instead of 5, which is there and later.
    const other = changed(({ redeemed }) => ({ redeemed: replaced(redeemed, 1, { orderIndex: deposit }) }));
    expect(await refused(other)).toMatch(/^leafProofs\.0/);
    const swapped = [
      { at: first!.at, orderIndex: second!.orderIndex },
      { at: second!.at, orderIndex: first!.orderIndex },
    ];
    expect(await refused(changed(() => ({ redeemed: swapped })))).toBe(
      `operation 0 of batch 7: redeems order ${first!.orderIndex} after a later one`,
    );
  });

  it('of where a transfer went is found', async () => {
    const toEthereumAddress = parseAddress(`0x${'12'.repeat(20)}`);
    const attempt = changed(({ withdrawn }) => ({
      withdrawn: replaced(withdrawn, 0, { toEthereumAddress }),
    }));
    expect(await refused(attempt)).toBe(
      'operation 1 of batch 5: is another transfer out than the view key says',
    );
  });

  it('of what the account had before is found', async () => {
    const opening = (change: Partial<NonNullable<ViewKey['opening']['account']>>) =>
      refused(
        changed(({ opening: said }) => ({ opening: { ...said, account: { ...said.account!, ...change } } })),
      );
    const balances = new Map([
      [0, 1_000n],
      [7, 30n],
    ]);
    expect(await opening({ balances })).toMatch(/^leafProofs\.0: keys, balances/);
    expect(await opening({ balances: new Map([[0, 100n]]) })).toBe(
      'operation 1 of batch 5: would leave a balance of -30 units',
    );
    expect(await opening({ nonce: 1 })).toMatch(/^leafProofs\.0/);
    expect(await opening({ redemptionIndex: 0 })).toMatch(/^leafProofs\.0/);
    expect(await opening({ leaf: 5n })).toBe('the state before batch 5: it has another leaf of account 1');
    expect(
      await refused(changed(({ opening: said }) => ({ opening: { ...said, account: undefined } }))),
    ).toBe('operation 0 of batch 5: is one of an account that is not made yet');
    expect(await refused(changed(({ opening: said }) => ({ opening: { ...said, accountRoot: 5n } })))).toBe(
      'the state before batch 5: opening.accountRoot and opening.frontier do not lead to its root',
    );
    expect(await refused(changed(({ opening: said }) => ({ opening: { ...said, deposits: 4 } })))).toBe(
      'operation 2 of batch 6: is not deposit 4; the number of earlier deposits is wrong',
    );
  });

  it('that more happened than did is found', async () => {
    const extra = { at: totalIndex(6, 1), toAccountId: 3, tokenId: 0, amount: 2n, blindingFactor: 5n };
    expect(await refused(changed(({ sent }) => ({ sent: [...sent, extra] })))).toBe(
      'operation 1 of batch 6: is no operation of the account in the period',
    );
    expect(await refused(changed(({ sent }) => ({ sent: [...sent, ...sent] })))).toBe(
      'sent: opens an operation twice',
    );
    const { received } = honest.viewKey;
    const early = { ...received[0]!, at: totalIndex(3, 0) };
    expect(await refused(changed(() => ({ received: [early, ...received] })))).toBe(
      'operation 0 of batch 3: is no operation of the account in the period',
    );
    expect(await refused(changed(() => ({ received: replaced(received, 0, { proof: undefined }) })))).toBe(
      'operation 0 of batch 4: was made before the period, and has no proof',
    );
    const proof = received[0]!.proof;
    expect(await refused(changed(() => ({ received: replaced(received, 1, { proof }) })))).toBe(
      'operation 2 of batch 5: is in the period, and has a proof',
    );
  });

  it('of the end of the period is found', async () => {
    const period = (change: Partial<ViewKey['period']>) =>
      refused(changed(({ period: said }) => ({ period: { ...said, ...change } })));
    expect(await period({ from: 6 })).toMatch(/^the state before batch 6/);
    expect(await period({ from: 4 })).toMatch(/^the state before batch 4/);
    expect(await period({ to: 7 })).toMatch(/is no operation of the account in the period/);
    expect(await period({ to: 9 })).toMatch(/leaves it out|blocks 12 to 14/);
    expect(await period({ to: 30 })).toBe('period: the contract has no batch 30');
    expect(await period({ fromBlock: 13 })).toBe('batch 5: the client does not have it in blocks 13 to 14');
    expect(await period({ toBlock: 2 ** 53 - 1 })).toBe(
      'period.toBlock: is 9007199254740991, and the last block is 16',
    );
    expect(await period({ toBlock: 13 })).toBe('batch 8: the client does not have it in blocks 12 to 13');
    expect(
      await refused(changed(() => ({ closing: { siblings: honest.viewKey.opening.account!.siblings } }))),
    ).toBe(
      'the state after batch 8: the last leaf of account 1 and the orders of the period do not lead to its root',
    );
  });

  it('cannot prove fewer leaves, or those of another disclosure', async () => {
    expect(await refused(changed(() => ({ leafProofs: [new Uint8Array(32), new Uint8Array(32)] })))).toBe(
      'leafProofs: are 2, and 1 are needed',
    );
    expect(LEAVES_IN_PROOF).toBeGreaterThan(5);
    expect(await refused(changed(() => ({ leafProofs: ofBob.viewKey.leafProofs })))).toMatch(
      /^leafProofs\.0/,
    );
  });
});

describe('a view key that was made for something else', () => {
  it('of another account is that account’s, and Alice cannot sign it', async () => {
    expect((await audit(ofBob)).accountId).toBe(2);
    // Signed by Alice, it is not what the account in it has signed.
    expect(
      await refused(Promise.resolve().then(() => audit(signViewKey(ofBob.viewKey, alice.keys.secretKey)))),
    ).toBe('the signature: is not that of account 2 for this file');
    const { account } = honest.viewKey;
    const relabelled = changed(() => ({ ...ofBob.viewKey, account }));
    expect(await refused(relabelled)).toMatch(/account 1|leafProofs|leaves it out|payment/);
    const withKey = changed(() => ({
      ...ofBob.viewKey,
      account: { ...ofBob.viewKey.account, publicKey: account.publicKey },
    }));
    expect(await refused(withKey)).toMatch(/^leafProofs\.0/);
  });

  it('of another contract or chain is refused, also when it is signed for that', async () => {
    expect(await refused(changed(() => ({ chainId: 1n })))).toBe(
      'chainId: it is for chain 1, and the client is of 31337',
    );
    const contract = parseAddress(`0x${'13'.repeat(20)}`);
    expect(await refused(changed(() => ({ contract })))).toMatch(/^contract: it is for 0x1313/);
  });

  it('of a release with another circuit is said to be that', async () => {
    expect(await refused(changed(() => ({ circuit: 'fedcba9876543210' })))).toBe(
      'circuit: a release with circuit fedcba9876543210 made it, and this one has 0123456789abcdef',
    );
  });

  it('for another auditor, purpose or period is not what was signed', async () => {
    const text = formatViewKey(honest);
    for (const [from, to] of [
      ['Audit Ltd', 'Other Ltd'],
      ['accounts of 2026', 'accounts of 2027'],
      ['"deposits":3', '"deposits":2'],
      ['31337', '31338'],
    ] as const) {
      expect(text).toContain(from);
      expect(() => parseViewKey(text.replace(from, to))).toThrow('the signature: is not that of account 1');
    }
    expect(parseViewKey(JSON.stringify(JSON.parse(text), undefined, 2)).viewKey).toEqual(honest.viewKey);
  });
});
