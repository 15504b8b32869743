import { createRequire } from 'node:module';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { compileCircuit } from '@tetrad/rollup-circuits';
import { hashWords, multiplyGenerator, sign } from '@tetrad/rollup-crypto';
import { MerkleTree, treeOfLeaves } from '../src/merkle-tree.js';

const { Noir } = createRequire(import.meta.url)('@noir-lang/noir_js') as {
  Noir: new (circuit: object) => { execute(inputs: object): Promise<unknown> };
};
const P = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001n;
const DOMAIN = 12_345n;
const [ALICE, BOB] = [11n, 13n];
const LOW = 2n ** 128n;
const zeros = (count: number) => Array.from({ length: count }, () => 0n);

/** What a batch claims: a payment of Alice (1) and a credit of Bob (2), true unless a test says otherwise. */
interface Claim {
  amount: bigint;
  credited: bigint;
  token: bigint;
  consentToken: bigint;
  minimum: bigint;
  until: bigint;
  height: bigint;
  direct: bigint;
  /** Added to the word that says what came. */
  wordError: bigint;
  /** Whether the order is in the tree all the same. */
  keepsOrder: boolean;
  hasConsent: boolean;
  secretShown: bigint;
  /** Bob's nonce and redemption index afterwards. */
  bobNonce: bigint;
}
const TRUE: Claim = {
  amount: 40n,
  credited: 40n,
  token: 3n,
  consentToken: 3n,
  minimum: 40n,
  until: 9n,
  height: 9n,
  direct: 1n,
  wordError: 0n,
  keepsOrder: false,
  hasConsent: true,
  secretShown: 77n,
  bobNonce: 4n,
};

interface Holder {
  id: bigint;
  key: { x: bigint; y: bigint };
  nonce: bigint;
  balances: MerkleTree;
  consent: bigint;
}
const holder = (id: bigint, secret: bigint, token: bigint, balance: bigint, consent: bigint): Holder => ({
  id,
  key: multiplyGenerator(secret),
  nonce: 4n,
  consent,
  balances: treeOfLeaves(8, [[Number(token), balance]]),
});
const leafOf = ({ id, key, nonce, balances, consent }: Holder) =>
  hashWords([id, key.x, key.y, 500n + id, balances.root, nonce, 65_536n, 600n + id, consent]);

const NOTHING = {
  kind: 0n,
  account_id: 0n,
  public_key: zeros(2),
  joint_key: zeros(4),
  joint_key_hash: 0n,
  nonce: 0n,
  redemption_index: 0n,
  account_blinding: 0n,
  consent: 0n,
  next_consent: 0n,
  minimum: 0n,
  until_height: 0n,
  consent_secret: 0n,
  direct: 0n,
  account_path: zeros(28),
  token_id: 0n,
  balance: 0n,
  balance_path: zeros(8),
  from_id: 0n,
  to_id: 0n,
  amount: 0n,
  order_blinding: 0n,
  to_address: 0n,
  total_index: 0n,
  order_path: zeros(12),
  batch_path: zeros(32),
  ciphertext: zeros(15),
  signature: { r: zeros(2), s: [1n, 0n] },
};

function batchOf(claim: Claim): object {
  const { amount, credited, token, minimum, until, height, direct } = claim;
  const secret = 77n;
  const consent = hashWords([DOMAIN * 8n + 7n, minimum, until, claim.consentToken, secret, 0n, 0n, 0n, 0n]);
  const alice = holder(1n, ALICE, token, 100n, 0n);
  const bob = holder(2n, BOB, token, 7n, claim.hasConsent ? consent : 0n);
  const accounts = treeOfLeaves(28, [
    [1, leafOf(alice)],
    [2, leafOf(bob)],
  ]);
  const accountRoot = accounts.root;
  const common = (one: Holder) => ({
    account_id: one.id,
    public_key: [one.key.x, one.key.y],
    joint_key_hash: 500n + one.id,
    nonce: one.nonce,
    redemption_index: 65_536n,
    account_blinding: 600n + one.id,
    consent: one.consent,
    account_path: accounts.path(Number(one.id)),
    token_id: token,
    balance: one.balances.node(0, Number(token)),
    balance_path: one.balances.path(Number(token)),
    from_id: 1n,
    to_id: 2n,
    order_blinding: 900n,
  });
  const text = [1n, ...zeros(14)];
  const message = [DOMAIN * 8n + 2n, 1n, 2n, token, amount, 900n, 5n, direct, hashWords(text)];
  const { R, s } = sign(ALICE, hashWords(message));
  const payment = {
    ...NOTHING,
    ...common(alice),
    kind: 2n,
    amount,
    direct,
    ciphertext: text,
    signature: { r: [R.x, R.y], s: [s % LOW, s / LOW] },
  };
  alice.balances.update(Number(token), 100n - amount);
  alice.nonce = 5n;
  accounts.update(1, leafOf(alice));
  const before = common(bob);
  bob.balances.update(Number(token), 7n + credited);
  bob.nonce = claim.bobNonce;
  const leaf = leafOf(bob);
  const [padded, place] = [(claim.secretShown + leaf) % P, height * 65_536n + 1n];
  const pad = hashWords([padded, place, bob.key.x, bob.key.y, bob.consent]);
  const said = (2n ** 64n + credited + pad + claim.wordError) % P;
  const credit = {
    ...NOTHING,
    ...before,
    kind: 7n,
    amount: credited,
    minimum,
    until_height: until,
    consent_secret: claim.secretShown,
    ciphertext: [said, ...zeros(14)],
    signature: { r: [padded, place], s: [1n, 0n] },
  };
  accounts.update(2, leaf);
  const order = claim.keepsOrder ? hashWords([1n, 2n, token, amount, 900n]) : 0n;
  const history = new MerkleTree(32, () => undefined);
  const [historyRoot, historyPath] = [history.root, history.path(Number(height))];
  const ordersRoot = treeOfLeaves(12, [[0, order]]).root;
  history.update(Number(height), ordersRoot);
  const words = [...payment.ciphertext, ...credit.ciphertext];
  const challenge = 31n;
  return {
    previous_state_root: hashWords([accountRoot, historyRoot]),
    next_state_root: hashWords([accounts.root, history.root]),
    height,
    domain: DOMAIN,
    inbound_from: 0n,
    inbound_to: 0n,
    orders_root: ordersRoot,
    ciphertexts: hashWords([hashWords(payment.ciphertext), hashWords(credit.ciphertext)]),
    challenge,
    evaluation: words.reduce((sum, word) => (sum * challenge + word) % P, 0n),
    headers: [(2n << 128n) | (1n << 96n), (7n << 128n) | (2n << 96n)],
    addresses: zeros(2),
    leaves: [leafOf(alice), leaf],
    orders: [order, 0n],
    account_root: accountRoot,
    history_root: historyRoot,
    history_path: historyPath,
    operations: [payment, credit],
  };
}

function hex(value: unknown): unknown {
  if (typeof value === 'bigint') return `0x${value.toString(16)}`;
  if (Array.isArray(value)) return value.map(hex);
  return Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, hex(one)]));
}

let circuit: InstanceType<typeof Noir>;
beforeAll(async () => {
  circuit = new Noir(await compileCircuit(2));
});
const execute = (claim: Partial<Claim>) => circuit.execute(hex(batchOf({ ...TRUE, ...claim })) as object);

describe('a payment that is credited by a consent', () => {
  it.each<[string, Partial<Claim>]>([
    ['of the minimum, in the last batch of the consent', {}],
    ['of more, in an earlier one', { amount: 100n, credited: 100n, height: 2n }],
    ['by a consent to any amount', { minimum: 0n, amount: 1n, credited: 1n }],
  ])('is taken: %s', async (_, claim) => {
    await expect(execute(claim)).resolves.toBeDefined();
  });

  it.each<[string, Partial<Claim>]>([
    ['of another amount than was paid', { credited: 41n }],
    ['below the minimum', { minimum: 41n }],
    ['far below the minimum', { minimum: 2n ** 63n }],
    ['after the last batch of the consent', { height: 10n }],
    ['of another token', { consentToken: 4n }],
    ['without a consent', { hasConsent: false }],
    ['with another secret than that of the consent', { secretShown: 78n }],
    ['whose payer does not let it be credited', { direct: 0n }],
    ['whose word says another amount', { wordError: 1n }],
    ['whose word says another payer', { wordError: 2n ** 64n }],
    ['whose order stays, to be redeemed again', { keepsOrder: true }],
    ['with a nonce of the receiver', { bobNonce: 5n }],
  ])('is not taken: %s', async (_, claim) => {
    await expect(execute(claim)).rejects.toThrow();
  });
});

/** A batch in which Bob changes his consent, and nothing. */
function changeOf({
  to,
  signs,
  from,
}: {
  readonly to: bigint;
  readonly signs: bigint;
  readonly from: bigint;
}): object {
  const bob = holder(2n, BOB, 3n, 7n, from);
  const accounts = treeOfLeaves(28, [[2, leafOf(bob)]]);
  const [accountRoot, path] = [accounts.root, accounts.path(2)];
  const text = [1n, ...zeros(14)];
  const { R, s } = sign(BOB, hashWords([DOMAIN * 8n + 6n, 2n, signs, 0n, 0n, 5n, 0n, 0n, hashWords(text)]));
  const operation = {
    ...NOTHING,
    kind: 6n,
    account_id: 2n,
    from_id: 2n,
    public_key: [bob.key.x, bob.key.y],
    joint_key_hash: 502n,
    nonce: 4n,
    redemption_index: 65_536n,
    account_blinding: 602n,
    consent: from,
    next_consent: to,
    account_path: path,
    token_id: 3n,
    balance: 7n,
    balance_path: bob.balances.path(3),
    ciphertext: text,
    signature: { r: [R.x, R.y], s: [s % LOW, s / LOW] },
  };
  const after = leafOf({ ...bob, nonce: 5n, consent: to });
  accounts.update(2, after);
  const history = new MerkleTree(32, () => undefined);
  const noOp = { ...NOTHING, public_key: [1n, multiplyGenerator(1n).y] };
  const ordersRoot = treeOfLeaves(12, []).root;
  const [historyRoot, historyPath] = [history.root, history.path(1)];
  history.update(1, ordersRoot);
  const words = [...text, ...zeros(15)];
  return {
    previous_state_root: hashWords([accountRoot, historyRoot]),
    next_state_root: hashWords([accounts.root, history.root]),
    height: 1n,
    domain: DOMAIN,
    inbound_from: 0n,
    inbound_to: 0n,
    orders_root: ordersRoot,
    ciphertexts: hashWords([hashWords(text), hashWords(zeros(15))]),
    challenge: 31n,
    evaluation: words.reduce((sum, word) => (sum * 31n + word) % P, 0n),
    headers: [(6n << 128n) | (2n << 96n), 0n],
    addresses: zeros(2),
    leaves: [after, 0n],
    orders: zeros(2),
    account_root: accountRoot,
    history_root: historyRoot,
    history_path: historyPath,
    operations: [operation, noOp],
  };
}

describe('a change of a consent', () => {
  const change = (claim: Parameters<typeof changeOf>[0]) => circuit.execute(hex(changeOf(claim)) as object);

  it('is what its holder signed: one that is given, another, or none any more', async () => {
    for (const [from, to] of [
      [0n, 99n],
      [99n, 98n],
      [99n, 0n],
    ] as const)
      await expect(change({ from, to, signs: to })).resolves.toBeDefined();
  });

  it('is no other than that', async () => {
    await expect(change({ from: 0n, to: 99n, signs: 0n })).rejects.toThrow();
    await expect(change({ from: 99n, to: 0n, signs: 99n })).rejects.toThrow();
  });
});
