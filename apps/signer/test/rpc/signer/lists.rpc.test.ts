import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase, type Database } from '@tetrad/db';
import { until } from '@tetrad/testkit';
import { obliging, startFakeNode, type FakeNode } from '../../fake-node.js';
import { BASE, KA, KA_ADDRESS, PRIV, REFERENCE_CHAIN, without } from '../../reference-keys.js';
import { startSigner, type RpcAnswer, type RunningSigner } from '../../running-signer.js';
import { createTokenIssuer, type TokenIssuer } from '../../token-issuer.js';

const RULE = 'pay <script>alert(1)</script>';
const POLICY = `
[[rule]]
name = ${JSON.stringify(RULE)}
methods = ["eth_sendTransaction", "eth_signTransaction", "eea_sendTransaction"]
max-value = "0x9184e72a"
`;
const TRANSFER = { ...without(BASE, 'nonce'), value: '0x1' };
const OTHER = '0xfe3b557e8fb62b89f4916b721be55ceb828dbd73';

let node: FakeNode;
let folder: string;
let issuer: TokenIssuer;
let database: Database;
let signer: RunningSigner & { readonly databaseUrl: string };
let call: (method: string, params: readonly unknown[], token?: string) => Promise<RpcAnswer>;
let operator: string;
beforeAll(async () => {
  node = await startFakeNode();
  folder = mkdtempSync(join(tmpdir(), 'tetrad-lists-'));
  writeFileSync(join(folder, 'policy.toml'), POLICY);
  issuer = await createTokenIssuer();
  signer = await startSigner({
    downstreamPort: node.port,
    chainId: REFERENCE_CHAIN,
    privateKey: KA,
    flags: ['--policy-file', join(folder, 'policy.toml'), ...issuer.flags],
  });
  const clerk = await issuer.tokenOf('clerk', ['eth_*', 'eea_*']);
  operator = await issuer.tokenOf('operator', ['signer_listDecisions', 'signer_listSends']);
  call = async (method, params, authorization = clerk) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const { text } = await signer.post(body, { authorization });
    return text.startsWith('{') ? (JSON.parse(text) as RpcAnswer) : {};
  };
  database = await connectDatabase({ url: signer.databaseUrl });
  await makeDecisions();
});
afterAll(async () => {
  await database.close();
  await signer.stop();
  await node.stop();
  await issuer.remove();
  rmSync(folder, { recursive: true });
});

/** One of each kind; the client answers the last send with what is not JSON-RPC, so that its outcome is in doubt. */
async function makeDecisions(): Promise<void> {
  await call('eth_sign', [KA_ADDRESS, 'x']);
  await call('eth_sendTransaction', [{ ...BASE, value: '0x9184e72b' }]);
  await call('eth_sign', [OTHER, 'x']);
  await call('eth_signTransaction', [{ ...BASE, nonce: '0x63' }]);
  await call('eea_sendTransaction', [{ ...PRIV, nonce: '0x5' }]);
  node.behave((...given) =>
    given[0].rpc.method === 'eth_sendRawTransaction'
      ? { status: 503, body: '<html>away</html>' }
      : obliging(...given),
  );
  await call('eth_sendTransaction', [TRANSFER]);
}

const list = async (method: string, ...params: readonly unknown[]) => {
  const { result, error } = await call(method, params, operator);
  expect(error).toBeUndefined();
  return result as { decisions: never[]; sends: never[]; cursor: string | null };
};

const refused = { caller: 'clerk', account: KA_ADDRESS, outcome: 'refused', transaction: null };

describe('signer_listDecisions', () => {
  it('lists decisions, newest first, with the rule and what of it was not met', async () => {
    const { decisions, cursor } = await list('signer_listDecisions');
    const allowed = { ...refused, outcome: 'allowed', reason: null, rule: RULE, limit: null };
    const shown = { isPrivate: false, chainId: '0x9', to: BASE.to };
    const hidden = { isPrivate: true, chainId: '0x9', nonce: '0x5', to: null, value: null };
    const time = expect.any(Number);
    const sends = { ...allowed, method: 'eth_sendTransaction' };
    const byRule = { ...refused, reason: 'POLICY_REFUSED', rule: RULE };
    expect(decisions).toEqual([
      { ...sends, sequence: 6, time, transaction: { ...shown, nonce: '0x1', value: '0x1' } },
      { ...allowed, sequence: 5, time, method: 'eea_sendTransaction', transaction: hidden },
      {
        ...allowed,
        sequence: 4,
        time,
        method: 'eth_signTransaction',
        transaction: { ...shown, nonce: '0x63', value: BASE.value },
      },
      {
        ...refused,
        sequence: 3,
        time,
        method: 'eth_sign',
        account: OTHER,
        reason: 'SIGNING_FROM_IS_NOT_AN_UNLOCKED_ACCOUNT',
        rule: null,
        limit: null,
      },
      { ...byRule, sequence: 2, time, method: 'eth_sendTransaction', limit: 'max-value' },
      { ...byRule, sequence: 1, time, method: 'eth_sign', limit: 'methods' },
    ]);
    expect(cursor).toBeNull();
  });

  it('shows no data, no parties and no digest of what was signed', async () => {
    const text = JSON.stringify(await list('signer_listDecisions'));
    for (const secret of [BASE.data.slice(2), PRIV.privateFrom, PRIV.privateFor[0], 'digest', 'hash'])
      expect(text).not.toContain(secret);
  });

  it('filters by account and outcome', async () => {
    const sequences = async (query: object) =>
      (await list('signer_listDecisions', query)).decisions.map(({ sequence }) => sequence);
    expect(await sequences({ outcome: 'refused' })).toEqual([3, 2, 1]);
    expect(await sequences({ account: OTHER.toUpperCase().replace('0X', '0x') })).toEqual([3]);
    expect(await sequences({ account: KA_ADDRESS, outcome: 'allowed' })).toEqual([6, 5, 4]);
    expect(await sequences({ account: BASE.to })).toEqual([]);
  });

  it('goes on where a page ended, whatever is decided meanwhile', async () => {
    const first = await list('signer_listDecisions', { limit: 4 });
    await call('eth_sign', [KA_ADDRESS, 'y']);
    const { cursor } = first;
    const second = await list('signer_listDecisions', { limit: 4, cursor });
    const sequences = [...first.decisions, ...second.decisions].map(({ sequence }) => sequence);
    expect(sequences).toEqual([6, 5, 4, 3, 2, 1]);
    expect(second.cursor).toBeNull();
  });

  it('looks through a part of a long log at a time, and says where the next one begins', async () => {
    await database.pool
      .query(`INSERT INTO audit_entry (sequence, time_ms, caller, key, method, decision, reason,
      previous_hash, hash) SELECT i, i, '', 'k', 'eth_sign', 'allowed', '', '\\x', '\\x' FROM generate_series(8, 25000) i`);
    await database.pool.query(`UPDATE audit_head SET sequence = 25000, hash = '\\x'`);
    const [pages, found]: [unknown[], unknown[]] = [[], []];
    let cursor: string | null | undefined;
    do {
      const page = await list('signer_listDecisions', { outcome: 'refused', ...(cursor && { cursor }) });
      pages.push(page.cursor);
      found.push(...page.decisions.map(({ sequence }) => sequence));
      cursor = page.cursor;
    } while (cursor !== null);
    expect(pages).toEqual(['15001', '5001', null]);
    expect(found).toEqual([7, 3, 2, 1]);
  });
});

describe('signer_listSends', () => {
  const ofSequence = { account: KA_ADDRESS, chainId: '0x9', changedAt: expect.any(Number) };

  it('lists nonces with their states, and those in doubt alone on request', async () => {
    const inDoubt = { ...ofSequence, isPrivate: false, nonce: '0x1', state: 'doubtful', isGiven: false };
    const transactionHash = expect.stringMatching(/^0x[0-9a-f]{64}$/);
    await until(async () => (await list('signer_listSends', { state: 'doubtful' })).sends.length === 1);
    expect(await list('signer_listSends', { state: 'doubtful' })).toEqual({
      sends: [{ ...inDoubt, transactionHash }],
      cursor: null,
    });
    const { sends } = await list('signer_listSends', { account: KA_ADDRESS });
    expect(sends).toContainEqual({ ...inDoubt, transactionHash });
    expect(await list('signer_listSends', { account: OTHER })).toEqual({ sends: [], cursor: null });
  });

  it('goes through every nonce once, page by page', async () => {
    // Of a process that runs: this one would take over those of any other.
    await database.pool.query(`
      WITH other AS (INSERT INTO replica (id, alive_until)
        VALUES (gen_random_uuid(), now() + interval '1 day') RETURNING id)
      INSERT INTO nonce_entry (lane_id, nonce, state, owner)
      SELECT nonce_sequence.id, i, 'reserved', other.id FROM nonce_sequence, other, generate_series(1000, 1009) i
       WHERE chain_id = 9`);
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await list('signer_listSends', { state: 'reserved', limit: 3, ...(cursor && { cursor }) });
      seen.push(...page.sends.map(({ isPrivate, nonce }) => `${String(isPrivate)} ${String(nonce)}`));
      cursor = page.cursor;
    } while (cursor !== null);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((name) => name.startsWith('false'))).toEqual(
      Array.from({ length: 10 }, (_, index) => `false 0x${(1009 - index).toString(16)}`),
    );
  });
});

describe.each(['signer_listDecisions', 'signer_listSends'])('%s', (method) => {
  it('is for tokens with its permission alone, and the client hears nothing of it', async () => {
    node.behave(obliging);
    expect(await call(method, [])).toMatchObject({ error: { data: { reason: 'FORBIDDEN' } } });
    await list(method);
    expect(node.seen).toEqual([]);
  });

  it.each([
    ['query.account', { account: '0x12' }],
    ['query.limit', { limit: 101 }],
    ['query.limit', { limit: 0 }],
    ['query.cursor', { cursor: "1' OR 1=1" }],
    ['query', { outcomes: 'refused' }],
    [method === 'signer_listSends' ? 'query.state' : 'query.outcome', { state: 'x', outcome: 'x' }],
    ['query', 7],
  ])('names what of %s is wrong in %j', async (field, query) => {
    const { error } = await call(method, [query], operator);
    expect(error).toMatchObject({ code: -32602 });
    expect(JSON.stringify(error)).toContain(field);
  });
});
