import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { privateKeyToAccount } from 'viem/accounts';
import { getCode } from 'viem/actions';
import { RECORDED_KEYS, type PrivacyNetwork } from '../../../../apps/node/test/privacy-network.js';
import { ACCOUNT, startSigner, type RunningSigner } from '../../../../apps/signer/test/running-signer.js';
import { createTetradClient, type TetradClient } from '../../src/index.js';

/** Init code of a contract whose code is one zero byte. */
const CREATION = '0x60016000f3';
const [A, B] = RECORDED_KEYS.map(({ publicKey }) => publicKey as string) as [string, string];
const local = privateKeyToAccount(`0x${'63'.repeat(32)}`);

let signer: RunningSigner;
let client: TetradClient;
let party: TetradClient;
let outsider: TetradClient;
/** A signer in front of the first node. */
export function testSigner(running: () => PrivacyNetwork): void {
  beforeAll(async () => {
    const [first, second, third] = running().nodes.map(({ url }) => url) as [string, string, string];
    signer = await startSigner({ downstreamPort: Number(new URL(first).port) });
    const connect = (url: string, account?: `0x${string}`) =>
      createTetradClient({ url, pollingInterval: 50, ...(account === undefined ? {} : { account }) });
    client = await connect(signer.url, ACCOUNT);
    party = await connect(second);
    outsider = await connect(third);
  });
  afterAll(() => signer?.stop());

  describe('a client of a signer', () => {
    it('sends restricted transactions of the signer’s accounts, and waits at the node behind it', async () => {
      expect(client.served.service).toBe('signer');
      const hash = await client.sendPrivateTransaction({
        data: CREATION,
        gas: 100_000n,
        privateFrom: A,
        privateFor: [B],
      });
      const receipt = await client.waitForPrivateReceipt({ hash, parties: [party] });
      expect(receipt).toMatchObject({
        status: 'success',
        isBehindMarker: true,
        isAgreed: true,
        from: ACCOUNT,
      });
      const address = receipt.contractAddress as `0x${string}`;
      expect(await getCode(party, { address })).toBe('0x00');
      expect(await getCode(outsider, { address })).toBeUndefined();
    });

    it('signs itself with a local key, and reaches the node through the signer', async () => {
      const hash = await client.sendPrivateTransaction({
        account: local,
        data: CREATION,
        privateFor: [B],
        privacyFlag: 'counterpartyProtection',
      });
      const receipt = await client.waitForPrivateReceipt({ hash, parties: [party] });
      expect(receipt).toMatchObject({ status: 'success', isBehindMarker: false, isAgreed: true });
      const address = receipt.contractAddress as `0x${string}`;
      expect(await party.getContractPrivacy({ address })).toMatchObject({
        privacyFlag: 'counterpartyProtection',
      });
    });

    it('explains why the signer refuses', async () => {
      const data = CREATION;
      const stranger = client.sendPrivateTransaction({
        account: `0x${'12'.repeat(20)}`,
        data,
        privateFrom: A,
        privateFor: [B],
      });
      await expect(stranger).rejects.toMatchObject({ reason: 'SIGNING_FROM_IS_NOT_AN_UNLOCKED_ACCOUNT' });
    });
  });
}
