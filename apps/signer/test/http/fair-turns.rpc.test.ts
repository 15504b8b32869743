import { describe, expect, it } from '@jest/globals';
import { countAnswers } from '@tetrad/testkit';
import { REFERENCE, useFakeNode } from '../fake-setup.js';
import { KA_ADDRESS } from '../reference-keys.js';
import type { RpcAnswer } from '../running-signer.js';

/** Calls that may begin in one turn of the event loop. */
const BEGUN_A_TURN = 32;
/** Turns that an answer to another caller takes in this process. */
const TURNS_OF_AN_ANSWER = 4;
const LIMIT = 120_000;

const setup = useFakeNode({
  ...REFERENCE,
  flags: ['--rpc-max-batch-answer-bytes', String(LIMIT), '--rpc-max-batch', '2001'],
});

const many = <T>(length: number, one: (index: number) => T) => Array.from({ length }, (_, at) => one(at));
const batchOf = (calls: readonly (readonly [method: string, ...params: unknown[]])[]) =>
  JSON.stringify(calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params })));

describe('a batch of a stranger', () => {
  it('is not answered beyond the limit, whatever its calls ask for', async () => {
    const { signer } = setup;
    const { status, text } = await signer.post(
      batchOf([['eth_blockNumber'], ...many(2_000, () => ['eth_accounts'] as const)]),
    );
    const answers = JSON.parse(text) as RpcAnswer[];
    // What the client was asked is answered as it answered.
    expect([status, answers.length, answers.shift()?.error?.code]).toEqual([200, 2_001, -32601]);
    const given = answers.filter(({ result }) => result !== undefined);
    const bytes = given.reduce((sum, one) => sum + JSON.stringify(one).length, 0);
    expect(given.length).toBeGreaterThan(50);
    expect(bytes).toBeLessThanOrEqual(LIMIT);
    const refused = answers.filter(({ error }) => error !== undefined);
    expect(new Set(refused.map(({ error }) => error?.data?.reason))).toEqual(new Set(['RESPONSE_TOO_LARGE']));
  });

  it.each([
    ['eth_sign', [KA_ADDRESS, `0x${'ab'.repeat(40)}`]],
    ['eth_accounts', []],
    ['eth_none', []],
  ])('of %s leaves others their turns', async (method, params) => {
    const { signer } = setup;
    const sent = signer.post(batchOf(many(600, () => [method, ...params] as const)));
    const answered = await countAnswers(sent, () => signer.call('eth_accounts'));
    expect((await sent).status).toBe(200);
    if (method !== 'eth_none')
      expect(answered).toBeGreaterThanOrEqual(Math.floor(600 / BEGUN_A_TURN / TURNS_OF_AN_ANSWER));
  });
});
