import { expect, it } from '@jest/globals';
import { connectDatabase, withDatabaseName, type Database } from '@tetrad/db';
import { until } from '@tetrad/testkit';
import { SigningKey } from 'ethers/crypto';
import { Transaction } from 'ethers/transaction';
import { REFERENCE, useFakeNode } from './fake-setup.js';
import { BASE, KA, KA_ADDRESS, PRIV, without } from './reference-keys.js';

const fake = useFakeNode({ ...REFERENCE, flags: ['eth1'] });

const NOTE = {
  types: { EIP712Domain: [{ name: 'name', type: 'string' }], Note: [{ name: 'text', type: 'string' }] },
  primaryType: 'Note',
  domain: { name: 'Notes' },
  message: { text: 'hello' },
};
const PUBLIC_KEY = new SigningKey(KA).publicKey.slice(4);
const TRANSFER = without(BASE, 'nonce');
const CALLS: readonly (readonly [string, readonly unknown[]])[] = [
  ['eth_sign', [KA_ADDRESS, 'x']],
  ['eth_signTypedData', [KA_ADDRESS, NOTE]],
  ['eth_signTypedData_v4', [KA_ADDRESS, NOTE]],
  ['eth_signTransaction', [BASE]],
  ['eth_sendTransaction', [BASE]],
  ['eth_sendTransaction', [TRANSFER]],
  ['eea_sendTransaction', [PRIV]],
  ['eea_sendTransaction', [without(PRIV, 'nonce')]],
  ['signer_listDecisions', []],
  ['signer_listSends', []],
];

/** Refuses new connections, and waits until the terminated ones are closed, which the server does asynchronously. */
async function shut({ pool }: Database, name: string): Promise<void> {
  await pool.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await until(async () => {
    const { rowCount } = await pool.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
      [name],
    );
    return rowCount === 0;
  });
}

it('while the database is unavailable nothing is signed or sent, callers get an error, and no nonce is lost', async () => {
  const { signer, node } = fake;
  expect((await signer.call('eth_sendTransaction', [TRANSFER])).error).toBeUndefined();
  const name = new URL(signer.databaseUrl).pathname.slice(1);
  const url = withDatabaseName(signer.databaseUrl, 'postgres');
  const server = await connectDatabase({ url, poolSize: 1 });
  await shut(server, name);
  for (const [method, params] of CALLS) {
    expect([method, await signer.call(method, params)]).toEqual([
      method,
      {
        jsonrpc: '2.0',
        id: 1,
        status: 200,
        error: {
          code: expect.any(Number),
          message: 'the database is not available; try again',
          data: { reason: 'DATABASE_UNAVAILABLE' },
        },
      },
    ]);
  }
  const signBytes = { path: `/api/v1/eth1/sign/${PUBLIC_KEY}`, body: '{"data":"0x3432"}' };
  const bytes = await signer.request(signBytes);
  expect([bytes.status, JSON.parse(bytes.text)]).toEqual([
    503,
    { error: 'the database is not available; try again', reason: 'DATABASE_UNAVAILABLE' },
  ]);
  expect(node.submitted()).toHaveLength(1);
  expect(await signer.call('eth_accounts')).toMatchObject({ result: [KA_ADDRESS] });
  expect(await signer.call('eth_blockNumber')).toMatchObject({ error: { message: 'Method not found' } });
  const ready = await fetch(`${signer.opsUrl}/readyz`);
  expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('database')]);
  await server.pool.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  await until(async () => (await signer.call('eth_sendTransaction', [TRANSFER])).error === undefined);
  expect((await signer.call('eth_sendTransaction', [TRANSFER])).error).toBeUndefined();
  const nonces = node.submitted().map((raw) => Transaction.from(raw as string).nonce);
  expect(nonces).toEqual([1, 2, 3]);
  await server.close();
});
