import { afterEach, beforeAll, afterAll, describe, expect, it } from '@jest/globals';
import { findSoftHsm, startSoftHsm, until, type SoftHsm } from '@tetrad/testkit';
import { verifyMessage } from 'ethers/hash';
import { reasonOf, startNode, type RunningNode } from '../../running-node.js';
import { createTokenAccount, type TokenAccount } from '../../token-account.js';

const library = findSoftHsm();
const withHsm = library === undefined ? describe.skip : describe;
const TO = `0x${'ab'.repeat(20)}`;

let hsm: SoftHsm;
let desk: TokenAccount;
let node: RunningNode | undefined;
beforeAll(async () => {
  if (library === undefined) return;
  hsm = startSoftHsm(library);
  desk = await createTokenAccount(hsm, 'desk');
});
afterEach(async () => {
  hsm.setFault(undefined);
  hsm.writePin(hsm.pin);
  await node?.stop();
  node = undefined;
});
afterAll(() => hsm?.stop());

async function start(fromLibrary?: string): Promise<RunningNode> {
  const files = { [`keystore/${desk.fileName}`]: desk.fileText(fromLibrary) };
  node = await startNode([], { files, accounts: 1 });
  return node;
}
const send = (running: RunningNode, from: string) =>
  running.call('eth_sendTransaction', [{ from, to: TO, gas: '0x5208', gasPrice: '0x0' }]);
const pending = (running: RunningNode) =>
  running.result<string>('eth_getTransactionCount', [desk.address, 'pending']);
const readiness = async (running: RunningNode) => (await fetch(`${running.opsUrl}/readyz`)).text();

withHsm('a node with an account in an HSM', () => {
  it('signs messages, and sends transactions at once with consecutive nonces', async () => {
    const running = await start();
    expect(await running.result('eth_accounts')).toEqual([...running.accounts, desk.address].sort());
    const text = `0x${Buffer.from('in hardware').toString('hex')}`;
    const signature = await running.result<string>('eth_sign', [desk.address, text]);
    expect(verifyMessage('in hardware', signature).toLowerCase()).toBe(desk.address);
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(running, desk.address)));
    const receipts = await Promise.all(answers.map(({ result }) => running.mined(String(result))));
    expect(receipts.every(({ from, status }) => from === desk.address && status === '0x1')).toBe(true);
    expect(await running.result('eth_getTransactionCount', [desk.address, 'latest'])).toBe('0x8');
  });

  it('refuses while the token is away, sends for other accounts, and uses the nonce when it is back', async () => {
    const running = await start(hsm.buildFaultyLibrary());
    await until(async () => (await send(running, desk.address)).error === undefined);
    const next = await pending(running);
    hsm.setFault('removed');
    const refused = await send(running, desk.address);
    expect(reasonOf(refused)).toBe('KEY_UNAVAILABLE');
    expect(JSON.stringify(refused)).not.toContain(hsm.folder);
    expect(await readiness(running)).toContain(`${desk.address}: PKCS#11 token bank`);
    expect((await send(running, running.accounts[0] as string)).error).toBeUndefined();
    hsm.setFault(undefined);
    await until(async () => (await send(running, desk.address)).error === undefined);
    expect(BigInt(await pending(running))).toBe(BigInt(next) + 1n);
    expect(await readiness(running)).not.toContain('unavailableKeys');
  });

  it('starts with a wrong PIN, lists the account, and signs once the file has the right one', async () => {
    hsm.writePin('13579');
    const running = await start();
    expect(await running.result('eth_accounts')).toContain(desk.address);
    expect(reasonOf(await send(running, desk.address))).toBe('KEY_UNAVAILABLE');
    expect(await readiness(running)).toMatch(/the PIN is wrong/);
    hsm.writePin(hsm.pin);
    await until(async () => (await send(running, desk.address)).error === undefined);
  });
});

describe('a node with files of keys that sign elsewhere', () => {
  it.each([
    ['desk.toml', '[signing]', /desk\.toml: its name must end with the address of the key/],
    [`${'0'.repeat(40)}.toml`, '[signing]\ntype = "raw-signer"', /signing\.type: must be one of/],
  ])('does not start with a file %s that names no key', async (name, text, problem) => {
    await expect(startNode([], { files: { [`keystore/${name}`]: text } })).rejects.toThrow(problem);
  });
});
