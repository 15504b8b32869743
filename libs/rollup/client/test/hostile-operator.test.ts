import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeJointKey, encodePoint, multiplyGenerator } from '@tetrad/rollup-crypto';
import { RpcTransportError } from '@tetrad/rpc';
import { hexFromBytes } from '@tetrad/types';
import {
  connectOperator,
  deriveRollupKeys,
  findAccount,
  findOwnAccount,
  jointKeyOf,
  listReceived,
  type OperatorClient,
} from '../src/index.js';

const operatorKey = multiplyGenerator(9n);
/** A key that was announced before, and the present one. */
const announced = [multiplyGenerator(8n), operatorKey];
const rollup = {
  knowsOperatorKey: async ({ x }: { readonly x: bigint }) => announced.some((key) => key.x === x),
};
const keys = deriveRollupKeys(new Uint8Array(32).fill(3));
const others = deriveRollupKeys(new Uint8Array(32).fill(4));

/** An operator that says whatever a test has it say; what it does not say is all real. */
let say: (method: string, params: readonly unknown[]) => string;
let server: Server;
let operator: OperatorClient;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as {
      id: number;
      method: string;
      params: unknown[];
    };
    response.setHeader('content-type', 'application/json');
    response.end(`{"jsonrpc":"2.0","id":${id},"result":${say(method, params)}}`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  operator = connectOperator(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterAll(async () => {
  await operator.close();
  await new Promise((done) => server.close(done));
});

const item = (moneyOrderTotalIndex: number) => ({
  moneyOrder: {
    fromAccountId: 1,
    toAccountId: 2,
    tokenId: 0,
    amount: 5,
    blindingFactor: `0x${'01'.repeat(32)}`,
  },
  moneyOrderTotalIndex,
  batchHeight: 1,
});
const page = (hasMoreResults: boolean, ...indexes: readonly number[]) =>
  JSON.stringify({ hasMoreResults, items: indexes.map(item) });

async function listed(): Promise<number[]> {
  const indexes: number[] = [];
  for await (const { moneyOrderTotalIndex } of listReceived(operator, { accountId: 2 }))
    indexes.push(moneyOrderTotalIndex);
  return indexes;
}

describe('a list of an operator that means no good', () => {
  it('is read to its end when it has one', async () => {
    const pages = new Map([[0, page(true, 3, 7)], [8, page(false, 9)]]); // prettier-ignore
    say = (_, [from]) => pages.get(from as number) ?? page(false);
    expect(await listed()).toEqual([3, 7, 9]);
  });

  it('ends with an error when the same page comes again, or none that there should be', async () => {
    say = () => page(true, 3, 7);
    await expect(listed()).rejects.toThrow('the operator lists records out of order');
    say = () => page(true);
    await expect(listed()).rejects.toThrow('announces more records and returns none');
    say = () => page(false, 7, 3);
    await expect(listed()).rejects.toThrow('the operator lists records out of order');
  });

  it.each([
    ['is longer than an answer may be', `[${'"a",'.repeat(2_000_000)}"a"]`],
    ['is nested without end', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['names a member twice', '{"hasMoreResults":false,"hasMoreResults":true,"items":[]}'],
    ['has an amount of many digits', page(false, 1).replace('"amount":5', `"amount":${'9'.repeat(100_000)}`)],
    ['has an amount with a fraction', page(false, 1).replace('"amount":5', '"amount":5.5')],
    ['has an amount above 2^64', page(false, 1).replace('"amount":5', `"amount":${2n ** 64n}`)],
  ])('is refused when it %s', async (_, text) => {
    say = () => text;
    await expect(listed()).rejects.toThrow(RpcTransportError);
  });
});

describe('an account that an operator returns', () => {
  const details = (of: typeof keys, id = 2, key = operatorKey) =>
    JSON.stringify({
      id,
      publicKey: hexFromBytes(encodePoint(of.publicKey)),
      jointEncryptionKey: hexFromBytes(encodeJointKey(jointKeyOf(of, key))),
    });

  it('is the one that was asked for, with the key of this operator, or is refused', async () => {
    say = () => details(keys);
    expect((await findOwnAccount(operator, rollup, keys))?.id).toBe(2);
    expect((await findAccount(operator, rollup, 2)).publicKey).toEqual(keys.publicKey);
    say = () => details(keys, 2, announced[0]);
    expect((await findOwnAccount(operator, rollup, keys))?.jointKey.operator).toEqual(announced[0]);
    await expect(findAccount(operator, rollup, 3)).rejects.toThrow('another account than requested');
    say = () => details(others);
    await expect(findOwnAccount(operator, rollup, keys)).rejects.toThrow('another account than requested');
    say = () => details(keys, 2, multiplyGenerator(10n));
    await expect(findAccount(operator, rollup, 2)).rejects.toThrow('the joint key of another operator');
    say = () => details(keys).replace(/"publicKey":"0x../, '"publicKey":"0x31');
    await expect(findAccount(operator, rollup, 2)).rejects.toThrow('is not a valid public key');
    say = () => 'null';
    expect(await findOwnAccount(operator, rollup, keys)).toBeUndefined();
    await expect(findAccount(operator, rollup, 2)).rejects.toThrow('unknown account 2');
  });
});
