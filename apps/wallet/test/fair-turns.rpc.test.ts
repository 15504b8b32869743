import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { walletMethods } from '@tetrad/api-wallet';
import { writeJson, type MethodTable } from '@tetrad/rpc';
import { countAnswers } from '@tetrad/testkit';
import { SECP, startWallet, type RunningWallet } from './running-wallet.js';

const MEMBERS = 400;
/** Calls that may begin in one turn of the event loop. */
const BEGUN_A_TURN = 32;
/** Turns that an answer to another caller takes in this process, which asks for nothing that is stored. */
const TURNS_OF_AN_ANSWER = 4;

const methods: MethodTable = walletMethods;
const cases = Object.entries(methods).map(
  ([method, { examples }]) => [method, examples[0]?.params ?? []] as const,
);

let wallet: RunningWallet;
beforeAll(async () => {
  wallet = await startWallet([SECP]);
});
afterAll(() => wallet.stop());

describe('a batch of a stranger', () => {
  it.each(cases)('of %s leaves others their turns', async (method, params) => {
    const batch = Array.from({ length: MEMBERS }, (_, id) => ({ jsonrpc: '2.0', id, method, params }));
    const sent = wallet.post(writeJson(batch));
    const answered = await countAnswers(sent, () => wallet.call('Coin.None'));
    expect(JSON.parse((await sent).text)).toHaveLength(MEMBERS);
    expect(answered).toBeGreaterThanOrEqual(Math.floor(MEMBERS / BEGUN_A_TURN / TURNS_OF_AN_ANSWER));
  });
});
