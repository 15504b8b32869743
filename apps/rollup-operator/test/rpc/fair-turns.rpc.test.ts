import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rollupOperatorMethods } from '@tetrad/api-rollup-operator';
import { encodePoint } from '@tetrad/rollup-crypto';
import { writeJson, type MethodTable } from '@tetrad/rpc';
import { countAnswers } from '@tetrad/testkit';
import { hexFromBytes } from '@tetrad/types';
import { AccountHolder } from '../account-holder.js';
import { OPERATOR_KEY, startOperator, type RunningOperator } from '../running-operator.js';

/** Members of a batch, if its body has room for them. */
const MEMBERS = 1_000;
const BODY_BYTES = 900_000;
/** Calls that may begin in one turn of the event loop. */
const BEGUN_A_TURN = 32;
/** Turns that an answer to another caller takes in this process, which asks for nothing that is stored. */
const TURNS_OF_AN_ANSWER = 8;

type Case = readonly [method: string, kind: string, params: readonly unknown[]];

const methods: MethodTable = rollupOperatorMethods;
const documented = Object.entries(methods).map(([method, { examples }]): Case => [
  method,
  'as documented',
  examples[0]?.params ?? [],
]);
/** Parameters that are decoded and checked, by an account holder that is not registered. */
const worst: Case[] = [
  ['pazkp_findAccountByPublicKey', 'of a point', [hexFromBytes(encodePoint(OPERATOR_KEY))]],
  ['pazkp_createAccount', 'of new keys', new AccountHolder(1, 1).registration()],
];

let operator: RunningOperator;
beforeAll(async () => {
  operator = await startOperator();
});
afterAll(() => operator.stop());

describe('a batch of a stranger', () => {
  it.each([...documented, ...worst])('of %s %s leaves others their turns', async (method, _kind, params) => {
    const memberOf = (id: number) => ({ jsonrpc: '2.0', id, method, params });
    const members = Math.min(MEMBERS, Math.floor(BODY_BYTES / writeJson(memberOf(MEMBERS)).length));
    const batch = Array.from({ length: members }, (_, id) => memberOf(id));
    const headers = { 'content-type': 'application/json' };
    const sent = fetch(operator.url, { method: 'POST', headers, body: writeJson(batch) }).then((answer) =>
      answer.text(),
    );
    const answered = await countAnswers(sent, () => operator.call('pazkp_none'));
    expect(JSON.parse(await sent)).toHaveLength(members);
    expect(answered).toBeGreaterThanOrEqual(Math.floor(members / BEGUN_A_TURN / TURNS_OF_AN_ANSWER));
  });
});
