import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findSoftHsm, startSoftHsm, until, type SoftHsm } from '@tetrad/testkit';
import { bytesFromHex } from '@tetrad/types';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
} from '../../privacy-network.js';
import { recordedPrivacy } from '../../recorded-privacy.js';
import { CHAIN_ID, reasonOf, type RunningNode } from '../../running-node.js';
import { createTokenAccount, type TokenAccount } from '../../token-account.js';
import { signRestricted } from './restricted-transaction.js';

const library = findSoftHsm();
const withHsm = library === undefined ? describe.skip : describe;
const [A, B] = RECORDED_KEYS.map(({ publicKey }) => publicKey as string) as [string, string];
const SENDER = Buffer.alloc(32, 0x61);
const CREATION = bytesFromHex(String(recordedPrivacy('private').steps[1]?.args['data']));

let hsm: SoftHsm;
let marker: TokenAccount;
let folder: string;
let network: PrivacyNetwork;
let node: RunningNode;
beforeAll(async () => {
  if (library === undefined) return;
  hsm = startSoftHsm(library);
  marker = await createTokenAccount(hsm, 'marker');
  folder = await mkdtemp(join(tmpdir(), 'tetrad-marker-'));
  const file = join(folder, marker.fileName);
  await writeFile(file, marker.fileText(hsm.buildFaultyLibrary()));
  network = await startPrivacyNetwork({
    keys: RECORDED_KEYS.slice(0, 2),
    accounts: recordedAccounts(2),
    flagsOf: (index) => (index === 0 ? ['--privacy-marker-key-file', file] : []),
  });
  node = network.nodes[0] as RunningNode;
});
afterAll(async () => {
  await network?.stop();
  hsm?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

const send = (nonce: bigint) => {
  const content = { nonce, chainId: BigInt(CHAIN_ID), data: CREATION, privateFrom: A, recipients: [B] };
  return node.call('eea_sendRawTransaction', [signRestricted(content, SENDER)]);
};

withHsm('a node whose markers are signed in an HSM', () => {
  it('sends markers from that account', async () => {
    const { result } = await send(0n);
    expect(await node.mined(String(result))).toMatchObject({ from: marker.address, status: '0x1' });
  });

  it('sends no marker while the token is away, and the same transaction when it is back', async () => {
    hsm.setFault('removed');
    expect(reasonOf(await send(1n))).toBe('KEY_UNAVAILABLE');
    hsm.setFault(undefined);
    await until(async () => {
      const { result } = await send(1n);
      return result !== undefined && (await node.mined(String(result))).from === marker.address;
    });
    expect(await node.result('eth_getTransactionCount', [marker.address, 'latest'])).toBe('0x2');
  });
});
