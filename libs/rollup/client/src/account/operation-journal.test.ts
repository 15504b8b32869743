import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeWord, multiplyGenerator } from '@tetrad/rollup-crypto';
import { hashFromBytes } from '@tetrad/types';
import { deriveRollupKeys, jointKeyOf } from '../keys/rollup-keys.js';
import { moneyOrderCall } from '../operations/operation-call.js';
import { signMoneyOrder } from '../operations/sign-operation.js';
import { openJournalFile } from './journal-file.js';
import { OperationJournal } from './operation-journal.js';

const rollup = { domain: 2n ** 247n + 9n, operatorKey: multiplyGenerator(3n) };
const keys = deriveRollupKeys(new Uint8Array(32).fill(7));
const owner = { domain: rollup.domain, accountId: 4 };

function signed(nonce: number, amount = 2n ** 64n - 1n) {
  const one = signMoneyOrder(rollup, keys, {
    fromAccountId: 4,
    toAccountId: 5,
    toJointKey: jointKeyOf(keys, rollup.operatorKey),
    tokenId: 0,
    amount,
    nonce,
    attempt: 0,
  });
  return { hash: hashFromBytes(encodeWord(one.hash)), nonce, call: moneyOrderCall(one) };
}

let folder: string;
let path: string;
const open = async () => OperationJournal.open(await openJournalFile(path), owner);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-journal-'));
  path = join(folder, 'journal.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the journal of an account', () => {
  it('has every operation, to the byte, and every attempt after the process has ended', async () => {
    const operation = signed(3);
    const first = await open();
    await first.record(operation, 2);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    // A process that was killed leaves its lock behind; this one lives, so it lets go.
    await first.close();
    const second = await open();
    expect(second.open).toEqual([operation]);
    expect([second.attempts(3), second.attempts(4)]).toEqual([2, 0]);
    await second.settle(operation.hash);
    await second.close();
    const third = await open();
    expect([third.open, third.attempts(3)]).toEqual([[], 2]);
    await third.prune(3);
    expect(third.attempts(3)).toBe(0);
    await third.close();
  });

  it('is one process’s at a time', async () => {
    const journal = await open();
    let isOpen = false;
    const waiting = open().then((other) => {
      isOpen = true;
      return other;
    });
    await journal.record(signed(1), 1);
    expect(isOpen).toBe(false);
    await journal.close();
    const other = await waiting;
    expect(other.open).toHaveLength(1);
    await other.close();
  });

  it('takes no more operations than can be looked at', async () => {
    const journal = await open();
    const one = signed(1);
    for (let nonce = 1; nonce <= 64; nonce += 1) await journal.record({ ...one, nonce }, 1);
    await expect(journal.record({ ...one, nonce: 65 }, 1)).rejects.toThrow('64 operations are open');
    await journal.close();
  });

  it.each([
    ['{"version":1', 'not a valid journal'],
    ['{"version":2}', 'not a valid journal: version'],
    ['{"version":1,"domain":"5","accountId":4,"attempts":[],"open":[],"more":1}', 'not a valid journal'],
    ['{"version":1,"domain":"5","accountId":4,"attempts":[],"open":[]}', 'is the journal of another account'],
  ])('refuses a file that is not its own: %s', async (text, problem) => {
    await writeFile(path, text);
    await expect(open()).rejects.toThrow(`${path}: ${problem}`);
    expect(await readFile(path, 'utf8')).toBe(text);
    // Nor does it keep the lock.
    await rm(path);
    await (await open()).close();
  });
});
