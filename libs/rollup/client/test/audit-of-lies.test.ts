import { describe, expect, it } from '@jest/globals';
import type { AcceptedBatch } from '@tetrad/rollup-chain';
import { totalIndex } from '@tetrad/rollup-crypto';
import { parseAddress } from '@tetrad/types';
import { formatViewKey, parseViewKey } from '../src/audit/view-key-file.js';
import { DisclosureError, auditViewKey, makeViewKey, type SignedViewKey } from '../src/index.js';
import { IdealLeafProver, type Lies } from './audited-rollup.js';
import { auditedHistory } from './audited-history.js';

const { rollup, alice } = auditedHistory();
const prover = new IdealLeafProver();
const common = { auditor: 'Audit Ltd', purpose: 'accounts of 2026', fromBlock: 0, prover };
const contract = rollup.contract();
const honest = await makeViewKey(contract, alice.keys, { ...common, from: 5, to: 8, showsAllReceived: true });

const audit = (signed: SignedViewKey, lies?: Lies) =>
  auditViewKey(rollup.contract(lies), parseViewKey(formatViewKey(signed)), {
    verifier: prover,
    fromBlock: 0,
  });
const exchanged = <Item>(items: readonly Item[], index: number, other: Item) =>
  items.map((item, at) => (at === index ? other : item));
const refused = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'accepted',
    (error: Error) => {
      expect(error).toBeInstanceOf(DisclosureError);
      return error.message.replace('the view key is refused: ', '');
    },
  );

describe('a client that lies', () => {
  const lie = (batch: Lies['batch']) => refused(audit(honest, { ...(batch && { batch }) }));
  const inBatch = (height: number, change: (batch: AcceptedBatch) => Partial<AcceptedBatch>) =>
    lie((batch) => (batch.height === height ? { ...batch, ...change(batch) } : batch));

  it('by leaving a batch out is found', async () => {
    expect(await lie((batch) => (batch.height === 6 ? undefined : batch))).toMatch(/^batch 6: the client/);
    expect(await lie((batch) => (batch.height === 8 ? undefined : batch))).toMatch(/^batch 8: the client/);
  });

  it('by hiding, changing or inventing operations of the account is found', async () => {
    expect(await inBatch(5, ({ headers }) => ({ headers: [headers[2]!, ...headers.slice(1)] }))).toMatch(
      /is no operation of the account|is another order/,
    );
    expect(await inBatch(5, ({ leaves }) => ({ leaves: [5n, ...leaves.slice(1)] }))).toMatch(
      /^leafProofs\.0/,
    );
    expect(await inBatch(7, ({ leaves }) => ({ leaves: [5n, ...leaves.slice(1)] }))).toMatch(
      /^the state after batch 8/,
    );
    expect(await inBatch(5, ({ recipients }) => ({ recipients: recipients.map(() => ADDRESS) }))).toBe(
      'operation 1 of batch 5: is another transfer out than the view key says',
    );
    // Carol's header for Bob's order.
    expect(await inBatch(8, ({ headers }) => ({ headers: exchanged(headers, 0, headers[1]!) }))).toBe(
      'operation 0 of batch 8: is another order than the view key says',
    );
  });

  it('by changing orders or roots is found', async () => {
    expect(await inBatch(6, ({ orders }) => ({ orders: [5n, ...orders.slice(1)] }))).toBe(
      'batch 6: the client shows other orders than those of its root',
    );
    expect(await refused(audit(honest, { stateRoot: (height, root) => (height === 4 ? 5n : root) }))).toMatch(
      /^the state before batch 5/,
    );
    expect(await refused(audit(honest, { stateRoot: (height, root) => (height === 8 ? 5n : root) }))).toMatch(
      /^the state after batch 8/,
    );
    expect(await refused(audit(honest, { stateRoot: () => 0n }))).toBe('period: the contract has no batch 8');
  });
});

const ADDRESS = parseAddress(`0x${'14'.repeat(20)}`);

describe('a frozen contract', () => {
  it('is asked what was taken out of it after the last batch, which no operation says', async () => {
    const last = await makeViewKey(rollup.contract(), alice.keys, {
      ...common,
      from: 9,
      to: 9,
      showsAllReceived: true,
    });
    const value = (name: string) => (name === 'isOrderWithdrawn' ? [false] : [true]);
    const report = await audit(last, { value });
    expect(report.frozen).toEqual({ withdrawnTokens: [0], withdrawnOrders: [] });
    const all = await audit(last, { value: () => [true] });
    expect(all.frozen?.withdrawnOrders).toEqual([totalIndex(9, 1)]);
    // The period ends before the last batch: what is withdrawn is what is there at the end.
    expect((await audit(honest, { value })).frozen).toBeUndefined();
  });
});
