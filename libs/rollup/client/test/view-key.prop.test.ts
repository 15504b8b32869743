import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { multiplyGenerator } from '@tetrad/rollup-crypto';
import { AccountRecovery } from '@tetrad/rollup-state';
import { seededRandom } from '@tetrad/testkit';
import { LawfulBatches } from '../../state/src/testing/lawful-batches.js';
import { DOMAIN } from '../../state/src/testing/random-rollup.js';
import { formatViewKey, parseViewKey, signViewKey } from '../src/audit/view-key-file.js';
import {
  DisclosureError,
  acceptedBatches,
  auditViewKey,
  deriveRollupKeys,
  makeViewKey,
  type RollupContract,
  type RollupKeys,
  type ViewKey,
} from '../src/index.js';
import { AuditedRollup, IdealLeafProver } from './audited-rollup.js';

/** Of the batches that are drawn. */
const OPERATOR_KEY = multiplyGenerator(23n);
const SIZE = 4;
const BATCHES = 14;
const runs = { numRuns: 12 };

/** Batches of honest and dishonest holders, and the keys of an honest one. */
function play(seed: number) {
  const random = seededRandom(seed);
  const batches = new LawfulBatches(random, SIZE);
  const rollup = new AuditedRollup(DOMAIN, 'freeze', OPERATOR_KEY);
  for (let count = 0; count < BATCHES; count += 1) rollup.accept(batches.next().batch);
  const [user] = batches.honest;
  fc.pre(user !== undefined);
  const { secretKey, encryptionKey, publicKey, jointKey } = user;
  const others = deriveRollupKeys(new Uint8Array(32).fill(9));
  const keys = { ...others, secretKey, encryptionKey, publicKey, encryptionPoint: jointKey.user };
  return { contract: rollup.contract(), keys };
}

async function accountAt(contract: RollupContract, keys: RollupKeys, height: number) {
  const { domain, operatorKeys } = contract;
  const { secretKey, encryptionKey } = keys;
  const recovery = new AccountRecovery({ domain, operatorKeys, secretKey, encryptionKey });
  for await (const batch of acceptedBatches(contract, { fromBlock: 0, toBlock: 1_000 }))
    if (batch.height <= height) recovery.apply(batch);
  return recovery.own;
}

const periods = fc.tuple(fc.nat(), fc.nat({ max: BATCHES - 1 }), fc.nat({ max: BATCHES - 1 }));

/** A disclosure of a period in which the account exists; undefined without an account, and for orders that only their sender can open. */
async function drawn([seed, one, other]: readonly [number, number, number]) {
  const { contract, keys } = play(seed);
  const [from, to] = [Math.min(one, other) + 1, Math.max(one, other) + 1];
  const prover = new IdealLeafProver();
  const common = { auditor: 'A', purpose: 'P', fromBlock: 0, prover, showsAllReceived: true };
  const after = await accountAt(contract, keys, to);
  if (after === undefined) return undefined;
  try {
    const signed = await makeViewKey(contract, keys, { ...common, from, to });
    return { contract, keys, from, after, prover, signed };
  } catch (error) {
    // Dishonest senders tell the receiver what the text does not say.
    expect((error as Error).message).toMatch(/^the keys do not open order \d+, which was redeemed$/);
    return undefined;
  }
}

it('a disclosure of any period is accepted, and says what the account had at both ends', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(periods, async (drawing) => {
      const disclosed = await drawn(drawing);
      if (disclosed === undefined) return;
      const { contract, keys, from, after, prover, signed } = disclosed;
      const read = parseViewKey(formatViewKey(signed));
      expect(read).toEqual(signed);
      const report = await auditViewKey(contract, read, { verifier: prover, fromBlock: 0 });
      const before = await accountAt(contract, keys, from - 1);
      const totals = ({ nonce, redemptionIndex, balances, consent }: typeof after) => ({
        nonce,
        redemptionIndex,
        balances,
        consent,
      });
      expect(report.closing).toEqual(totals(after));
      expect(report.opening).toEqual(
        before === undefined
          ? { nonce: 0, redemptionIndex: 0, balances: new Map(), consent: 0n }
          : totals(before),
      );
      accepted += 1;
    }),
    runs,
  );
  expect(accepted).toBeGreaterThan(0);
});

/** Each list with one of its elements left out. */
function omissions(viewKey: ViewKey): Partial<ViewKey>[] {
  const lists = ['sent', 'redeemed', 'withdrawn', 'received', 'consents', 'credited'] as const;
  return lists.flatMap((list) =>
    viewKey[list].map((_, index) => ({ [list]: viewKey[list].filter((__, at) => at !== index) })),
  );
}

it('nothing can be left out of a disclosure', async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(periods, async (drawing) => {
      const disclosed = await drawn(drawing);
      if (disclosed === undefined) return;
      const { contract, keys, prover, signed } = disclosed;
      for (const omission of omissions(signed.viewKey)) {
        const forged = signViewKey({ ...signed.viewKey, ...omission }, keys.secretKey);
        await expect(
          auditViewKey(contract, forged, { verifier: prover, fromBlock: 0 }),
        ).rejects.toBeInstanceOf(DisclosureError);
        refused += 1;
      }
    }),
    runs,
  );
  expect(refused).toBeGreaterThan(0);
});
