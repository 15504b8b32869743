import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeWord } from '@tetrad/rollup-crypto';
import { readJson, writeJson } from '@tetrad/rpc';
import { bytesFromHex } from '@tetrad/types';
import { AccountHolder } from '../account-holder.js';
import { TOKEN, startOperator, type RpcAnswer, type RunningOperator } from '../running-operator.js';

const ADDRESS = '0xca843569e3427144cead5e4d5999a3d0ccf92b8e';
const ANSWER_BYTES = 2_000;
/** As many as run at a time in a batch. */
const AT_A_TIME = 16;

let operator: RunningOperator;
const alice = new AccountHolder(1, 1);
/** The nonce after those that were used so far. */
let next = 1;

beforeAll(async () => {
  // With one place in front of the checks two operations at a time are one too many.
  operator = await startOperator(['--rpc-max-answer-bytes', String(ANSWER_BYTES), '--check-queue', '1']);
  await operator.result('pazkp_createAccount', alice.registration());
  await operator.finalize();
});
afterAll(() => operator.stop());

const transfers = (count: number) =>
  Array.from({ length: count }, () => alice.transfer(ADDRESS, TOKEN, 1n, next++));

/** Answers in the order of the calls, which are sent in one request. */
async function callAll(method: string, calls: readonly (readonly unknown[])[]): Promise<RpcAnswer[]> {
  const batch = calls.map((params, id) => ({ jsonrpc: '2.0', id, method, params }));
  const response = await fetch(operator.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: writeJson(batch),
  });
  const answers = readJson(await response.text(), 64) as readonly (RpcAnswer & {
    readonly id: bigint | number;
  })[];
  return [...answers].sort((a, b) => Number(a.id) - Number(b.id));
}

const hashOf = ({ result }: RpcAnswer) => (result as { operationHash: string }).operationHash;

describe('operations that come faster than they are checked', () => {
  it('are refused by name, are not stored, and are taken when they are sent again', async () => {
    const method = 'pazkp_createOutboundTransfer';
    const [taken, refused]: [RpcAnswer[], (readonly unknown[])[]] = [[], []];
    while (refused.length === 0) {
      const calls = transfers(AT_A_TIME);
      for (const [place, answer] of (await callAll(method, calls)).entries()) {
        if (answer.error === undefined) taken.push(answer);
        else {
          expect(answer.error).toMatchObject({
            code: -32005,
            data: { reason: 'TOO_MANY_CONCURRENT_REQUESTS' },
          });
          expect(answer.error.message).toContain('1 operations wait to be checked');
          refused.push(calls[place] as unknown[]);
        }
      }
    }
    expect(taken.length).toBeGreaterThan(0);
    const stored = async () =>
      (
        await operator.database.pool.query<{ count: number }>(
          'SELECT count(*)::int FROM operation WHERE kind <> 1',
        )
      ).rows[0]?.count;
    for (const answer of taken)
      expect(await operator.store.findOperation(decodeWord(bytesFromHex(hashOf(answer))))).toMatchObject({
        accountId: 1,
      });
    expect(await stored()).toBe(taken.length);
    for (const params of refused) await operator.result(method, params);
    expect(await stored()).toBe(taken.length + refused.length);
  });
});

describe('an answer that is too large', () => {
  const method = 'pazkp_listOutboundTransferCreations';

  it('is refused by name, and the same list is given in smaller pages', async () => {
    for (const params of transfers(12)) await operator.result('pazkp_createOutboundTransfer', params);
    const { error } = await operator.call(method, [1, 12, 1]);
    expect(error).toMatchObject({
      code: -32003,
      message: 'response too large',
      data: { reason: 'RESPONSE_TOO_LARGE', limit: ANSWER_BYTES },
    });
    const page = await operator.result<{ items: readonly unknown[]; hasMoreResults: boolean }>(
      method,
      [1, 3, 1],
    );
    expect([page.items.length, page.hasMoreResults]).toEqual([3, true]);
  });

  it('does not take along the others of its batch', async () => {
    const answers = await callAll(method, [
      [1, 12, 1],
      [1, 1, 1],
      [1, 12, 1],
    ]);
    expect(answers.map(({ error }) => error?.data?.['reason'])).toEqual([
      'RESPONSE_TOO_LARGE',
      undefined,
      'RESPONSE_TOO_LARGE',
    ]);
  });
});
