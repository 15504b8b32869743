import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startFakeNode, type FakeNode } from '../fake-node.js';
import { ACCOUNT, CHAIN_ID, startSigner, type RunningSigner } from '../running-signer.js';
import { createTokenIssuer, type TokenIssuer } from '../token-issuer.js';

const FRIEND = `0x${'22'.repeat(20)}`;
const STRANGER = `0x${'33'.repeat(20)}`;
const POLICY = `
[[rule]]
name = "without token"
callers = ["anonymous"]

[[rule]]
name = "payments"
callers = ["alice"]
recipients = ["${FRIEND}"]
max-value = 5

[[rule]]
name = "named"
callers = ["bob"]
methods = ["eth_sendTransaction", "eth_sign"]
max-gas = 30000
`;

/** Lets another account spend tokens: EIP-2612. */
const PERMIT = {
  types: {
    EIP712Domain: [{ name: 'name', type: 'string' }],
    Permit: ['owner', 'spender', 'value', 'nonce', 'deadline'].map((name) => ({
      name,
      type: name === 'owner' || name === 'spender' ? 'address' : 'uint256',
    })),
  },
  primaryType: 'Permit',
  domain: { name: 'Token' },
  message: { owner: ACCOUNT, spender: STRANGER, value: '1', nonce: 0, deadline: 1 },
};
const PAYMENT = { from: ACCOUNT, to: FRIEND, value: '0x5', gas: '0x7530', nonce: '0x0' };

let folder: string;
let node: FakeNode;
let issuer: TokenIssuer;
let signer: RunningSigner;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-policy-'));
  await writeFile(join(folder, 'policy.toml'), POLICY);
  node = await startFakeNode();
  issuer = await createTokenIssuer();
  const flags = ['--policy-file', join(folder, 'policy.toml'), ...issuer.flags];
  signer = await startSigner({ downstreamPort: node.port, chainId: CHAIN_ID, flags });
});
afterAll(async () => {
  await signer.stop();
  await node.stop();
  await issuer.remove();
  await rm(folder, { recursive: true });
});

async function ask(subject: string, method: string, params: readonly unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const { text } = await signer.post(body, { authorization: await issuer.tokenOf(subject, ['*']) });
  return JSON.parse(text) as { result?: string; error?: { data?: object } };
}
const refusedBy = (rule: string, limit: string) => ({
  error: { data: expect.objectContaining({ reason: 'POLICY_REFUSED', rule, limit }) },
});

describe('a rule with limits on transactions', () => {
  it.each<[string, string, readonly unknown[]]>([
    ['a permit', 'eth_signTypedData', [ACCOUNT, PERMIT]],
    ['a permit under its other name', 'eth_signTypedData_v4', [ACCOUNT, PERMIT]],
    ['a permit as text', 'eth_signTypedData_v4', [ACCOUNT, JSON.stringify(PERMIT)]],
    ['a message', 'eth_sign', [ACCOUNT, '0x01']],
    ['a payment to another account', 'eth_signTransaction', [{ ...PAYMENT, to: STRANGER }]],
  ])('that names no methods does not allow %s', async (_what, method, params) => {
    expect(await ask('alice', method, params)).toMatchObject(refusedBy('payments', 'recipients'));
  });

  it('allows what it was written for', async () => {
    expect((await ask('alice', 'eth_signTransaction', [PAYMENT])).result).toMatch(/^0x/);
  });

  it('does not allow a message either when it names the method', async () => {
    expect(await ask('bob', 'eth_sign', [ACCOUNT, '0x01'])).toMatchObject(refusedBy('named', 'max-gas'));
  });
});

describe('a rule for anonymous callers', () => {
  it('does not apply to a token whose subject is anonymous', async () => {
    const answer = await ask('anonymous', 'eth_sign', [ACCOUNT, '0x01']);
    expect(answer).toMatchObject(refusedBy('none', 'caller-or-key'));
  });

  it('is for callers without a token', async () => {
    const open = await startSigner({
      downstreamPort: node.port,
      flags: ['--policy-file', join(folder, 'policy.toml')],
    });
    expect((await open.call('eth_sign', [ACCOUNT, '0x01'])).result).toMatch(/^0x/);
    await open.stop();
  });
});
