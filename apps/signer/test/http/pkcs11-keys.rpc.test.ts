import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addressFromPublicKey } from '@tetrad/crypto';
import { Pkcs11Token } from '@tetrad/remote-keys';
import { findSoftHsm, startSoftHsm, until, type SoftHsm } from '@tetrad/testkit';
import { systemClock, type Address } from '@tetrad/types';
import { verifyMessage } from 'ethers/hash';
import { Transaction } from 'ethers/transaction';
import { startFakeNode, type FakeNode } from '../fake-node.js';
import { startSigner, type RunningSigner } from '../running-signer.js';

const library = findSoftHsm();
const withHsm = library === undefined ? describe.skip : describe;
const TO = '0x00000000000000000000000000000000000000b0';

let hsm: SoftHsm;
let node: FakeNode;
let account: Address;
let signer: RunningSigner | undefined;

beforeAll(async () => {
  if (library === undefined) return;
  hsm = startSoftHsm(library);
  const { tokenLabel, pinFile } = hsm;
  const token = new Pkcs11Token(
    { library, tokenLabel, pinFile, sessions: 1, timeoutMs: 60_000 },
    { clock: systemClock, readText: async (path) => readFileSync(path, 'utf8') },
  );
  account = addressFromPublicKey(await token.generate({ label: 'desk' }));
  token.close();
});
beforeEach(async () => {
  node = await startFakeNode();
});
afterEach(async () => {
  await signer?.stop();
  signer = undefined;
  await node.stop();
});
afterAll(() => hsm?.stop());

function keyFlags(): readonly string[] {
  const words = ['--pkcs11-token-label', hsm.tokenLabel];
  return [...words, '--pkcs11-pin-file', hsm.pinFile, '--pkcs11-key-label', 'desk'];
}

const start = async (library = hsm.library) => {
  const flags = [...keyFlags(), '--pkcs11-library', library];
  signer = await startSigner({ downstreamPort: node.port, chainId: 9, keyFlags: flags });
  return signer;
};
const send = (running: RunningSigner) =>
  running.call('eth_sendTransaction', [{ from: account, to: TO, gas: '0x5208', gasPrice: '0x0' }]);
/** Warnings of the operations port, by the name of the check. */
async function warnings(running: RunningSigner): Promise<string> {
  const response = await fetch(`${running.opsUrl}/readyz`);
  return JSON.stringify(await response.json());
}
const sent = () => node.submitted().map((raw) => Transaction.from(raw as string));

withHsm('a signer whose key is on a PKCS#11 token', () => {
  it('signs messages, and sends transactions with consecutive nonces', async () => {
    const running = await start();
    expect((await running.call('eth_accounts')).result).toEqual([account]);
    const { result } = await running.call('eth_sign', [account, 'signed in hardware']);
    expect(verifyMessage('signed in hardware', result as string).toLowerCase()).toBe(account);
    await Promise.all(Array.from({ length: 8 }, () => send(running)));
    const transactions = sent();
    expect(transactions.map(({ nonce }) => nonce).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(transactions.every(({ from }) => from?.toLowerCase() === account)).toBe(true);
  });

  it('refuses with 503 while the token is away, and uses the nonce when it is back', async () => {
    const running = await start(hsm.buildFaultyLibrary());
    hsm.setFault('removed');
    try {
      expect(await send(running)).toMatchObject({
        status: 503,
        error: { code: -32000, data: { reason: 'KEY_UNAVAILABLE', account } },
      });
      expect(await warnings(running)).toMatch(new RegExp(`${account}: PKCS#11 token bank`));
    } finally {
      hsm.setFault(undefined);
    }
    await until(async () => (await send(running)).error === undefined);
    expect(await warnings(running)).not.toMatch(/unavailableKeys/);
    expect(sent().map(({ nonce }) => nonce)).toEqual([1]);
  });

  it('starts with a wrong PIN, says so, and signs once the file has the right one', async () => {
    hsm.writePin('13579');
    const running = await start();
    try {
      expect(await send(running)).toMatchObject({ status: 503, error: { data: { reason: 'KEY_LOADING' } } });
      expect(await warnings(running)).toMatch(/the PIN is wrong/);
      expect(JSON.stringify(running.complaints)).not.toMatch(/13579/);
    } finally {
      hsm.writePin(hsm.pin);
    }
    await until(async () => (await send(running)).error === undefined);
    expect(sent()).toHaveLength(1);
  });
});
