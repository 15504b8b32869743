import { describe, expect, it } from '@jest/globals';
import type { AuditReport, AuditedOperation } from '@tetrad/rollup-client';
import { multiplyGenerator } from '@tetrad/rollup-crypto';
import { ZERO_ADDRESS, parseAddress, parseHash } from '@tetrad/types';
import { csvLines } from './audit-csv.js';
import { describeAudit, jsonLines } from './audit-text.js';

const place = (totalIndex: number) => ({
  totalIndex,
  batchHeight: Math.floor(totalIndex / 65_536),
  blockNumber: 40,
  timestamp: 1_767_225_600,
  transactionHash: parseHash(`0x${'7a'.repeat(32)}`),
});
const RECIPIENT = parseAddress(`0x${'5e'.repeat(20)}`);
const payment = { otherAccountId: 2, tokenId: 0, amount: 7n };
const operations: AuditedOperation[] = [
  { ...place(65_536), kind: 'created' },
  { ...place(131_073), kind: 'received', ...payment, nonce: undefined },
  { ...place(196_608), kind: 'redeemed', ...payment, nonce: 1, orderIndex: 131_073 },
  { ...place(196_609), kind: 'sent', ...payment, tokenId: 9, nonce: 2 },
  { ...place(196_610), kind: 'withdrawn', toEthereumAddress: RECIPIENT, tokenId: 0, amount: 1n, nonce: 3 },
];
const report: AuditReport = {
  chainId: 5n,
  contract: RECIPIENT,
  auditor: 'Audit Ltd',
  purpose: '2026',
  accountId: 1,
  operations,
  period: { from: 1, to: 3, fromBlock: 10, toBlock: 40 },
  publicKey: multiplyGenerator(3n),
  roots: { opening: 1n, closing: 2n },
  opening: { nonce: 0, redemptionIndex: 0, balances: new Map(), consent: 0n },
  closing: { nonce: 3, redemptionIndex: 131_073, balances: new Map([[0, 6n]]), consent: 0n },
  unredeemed: [
    { totalIndex: 131_072, fromAccountId: 2, tokenId: 0, amount: 1n, state: 'forfeited' },
    { totalIndex: 196_611, fromAccountId: 0, tokenId: 0, amount: 4n, state: 'open' },
  ],
  isReceivedComplete: false,
  neighbours: { before: undefined, after: 1_767_312_000 },
  frozen: { withdrawnTokens: [0], withdrawnOrders: [196_611] },
};
const tokens = [{ id: 0, address: ZERO_ADDRESS, unit: 1_000_000_000n }];

describe('a report of an audit', () => {
  it('says for people what was done, held, left open, lost and taken out since, and what is not shown', () => {
    const lines = describeAudit(report, tokens);
    expect(lines.slice(2)).toEqual([
      'batches 1 to 3, in blocks 10 to 40',
      'the batch after was accepted at 2026-01-02T00:00:00.000Z',
      'before: nonce 0, no balance',
      '2026-01-01T00:00:00.000Z  batch 1  created',
      '2026-01-01T00:00:00.000Z  batch 2  received  order 131073  from 2  7 units of token 0 (0.000000007 ether)',
      '2026-01-01T00:00:00.000Z  batch 3  redeemed  nonce 1  order 131073  from 2  7 units of token 0 (0.000000007 ether)',
      '2026-01-01T00:00:00.000Z  batch 3  sent  nonce 2  to 2  7 units of token 9',
      `2026-01-01T00:00:00.000Z  batch 3  withdrawn  nonce 3  to ${RECIPIENT}  1 units of token 0 (0.000000001 ether)`,
      'after: nonce 3',
      '  6 units of token 0 (0.000000006 ether)',
      'order 131072 from 2 of 1 units of token 0 (0.000000001 ether) is passed by a later one, and lost',
      'order 196611 from 0 of 4 units of token 0 (0.000000004 ether) is not redeemed in the period',
      'the contract is frozen after batch 3',
      'taken out of it since: 6 units of token 0 (0.000000006 ether)',
      'taken out of it since: order 196611',
      'complete: all 3 operations of the account, its deposits and credits, and its balances at both ends',
      'not shown: whether orders were received that are neither listed nor redeemed in the period',
      'not shown: orders of before the period that are not redeemed in it',
    ]);
  });

  it('is the same for programs: each operation, then the whole with amounts as text', () => {
    const lines = jsonLines(report).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ kind }) => kind)).toEqual([...operations.map(({ kind }) => kind), 'report']);
    expect(lines.at(-1)).toMatchObject({
      chainId: '5',
      closing: { nonce: 3, balances: { 0: '6' } },
      frozen: { withdrawnTokens: [0] },
      roots: { opening: `0x${'1'.padStart(64, '0')}` },
      operations: 5,
    });
  });

  it('has eleven columns in a table, whichever the operation is', () => {
    const cells = csvLines(report).map((line) => line.split(','));
    expect(cells.map(({ length }) => length)).toEqual([11, 11, 11, 11, 11, 11]);
    expect(cells[3]?.slice(1, 9)).toEqual(['3', '0', 'redeemed', '1', '2', '0', '7', '131073']);
    expect(cells[5]?.slice(3, 9)).toEqual(['withdrawn', '3', RECIPIENT, '0', '1', '']);
  });
});
