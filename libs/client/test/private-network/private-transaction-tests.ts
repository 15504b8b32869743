import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createClient,
  createWalletClient,
  ContractFunctionExecutionError,
  custom,
  http,
  parseAbi,
  publicActions,
  type Address,
  type Client,
  type Hex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  RECORDED_KEYS,
  recordedAccounts,
  type PrivacyNetwork,
} from '../../../../apps/node/test/privacy-network.js';
import type { RunningNode } from '../../../../apps/node/test/running-node.js';
import {
  MarkerSenderError,
  TetradRequestError,
  WaitForPrivateReceiptTimeoutError,
  privateActions,
  restrictedActions,
} from '../../src/index.js';
import { BOX_ABI, BOX_BYTECODE } from './box.js';

const abi = parseAbi(BOX_ABI);
const GAS = 500_000n;
const [A, B, C] = RECORDED_KEYS.map(({ publicKey }) => publicKey as string) as [string, string, string];
const accounts = recordedAccounts(3);
const [own, other] = accounts.map(({ address }) => address as Address) as [Address, Address];
const local = privateKeyToAccount(`0x${'61'.repeat(32)}`);

function connect(url: string) {
  return createClient({ transport: http(url), pollingInterval: 50 })
    .extend(publicActions)
    .extend(privateActions())
    .extend(restrictedActions());
}

let nodes: readonly RunningNode[];
let clients: ReturnType<typeof connect>[];
let address: Address;
const at = (index: number) => clients[index] as ReturnType<typeof connect>;
const valueAt = (index: number, of = address) =>
  at(index).readContract({ address: of, abi, functionName: 'value' });
const parties = () => [at(1) as Client];

/** Contracts of its own, by accounts of the nodes and a local key. */
export function testPrivateTransactions(running: () => PrivacyNetwork): void {
  beforeAll(() => {
    ({ nodes } = running());
    clients = nodes.map(({ url }) => connect(url));
  });

  describe('private transactions of a client', () => {
    it('deploys with an account of the node, and finds that the parties agree', async () => {
      const hash = await at(0).deployPrivateContract({
        abi,
        bytecode: BOX_BYTECODE,
        args: [42n],
        gas: GAS,
        account: own,
        privateFor: [B],
      });
      const receipt = await at(0).waitForPrivateReceipt({ hash, parties: parties() });
      expect(receipt).toMatchObject({ status: 'success', isParty: true, isAgreed: true });
      address = receipt.contractAddress as Address;
      expect(await Promise.all([valueAt(0), valueAt(1)])).toEqual([42n, 42n]);
      await expect(valueAt(2)).rejects.toThrow('returned no data');
      const seenOutside = await at(2).waitForPrivateReceipt({ hash });
      expect(seenOutside).toMatchObject({ isParty: false, isAgreed: undefined });
      const withOutsider = await at(0).waitForPrivateReceipt({ hash, parties: [at(2)] });
      expect(withOutsider).toMatchObject({ isAgreed: false, outcomes: [{ isParty: false, agrees: false }] });
    });

    it('reads the payload, as a party and as another', async () => {
      const hash = await at(1).writePrivateContract({
        address,
        abi,
        functionName: 'set',
        args: [43n],
        gas: GAS,
        account: other,
        privateFor: [A],
      });
      const { logs } = await at(1).waitForPrivateReceipt({ hash });
      expect(logs).toHaveLength(1);
      const { input } = await at(2).getTransaction({ hash });
      expect(await at(0).getPrivatePayload({ hash: input })).toMatch(/^0x60fe47b1/);
      expect(await at(2).getPrivatePayload({ hash: input })).toBeUndefined();
    });

    it('stores, signs and sends with a local key, to a contract and to create one', async () => {
      const account = local;
      const hash = await at(0).writePrivateContract({
        address,
        abi,
        functionName: 'set',
        args: [44n],
        gas: GAS,
        account,
        privateFor: [B],
      });
      const receipt = await at(0).waitForPrivateReceipt({ hash, parties: parties() });
      expect(receipt).toMatchObject({ status: 'success', isAgreed: true, from: local.address.toLowerCase() });
      expect(await Promise.all([valueAt(0), valueAt(1)])).toEqual([44n, 44n]);
      const created = await at(0).waitForPrivateReceipt({
        hash: await at(0).deployPrivateContract({
          abi,
          bytecode: BOX_BYTECODE,
          args: [7n],
          account,
          privateFor: [B],
        }),
        parties: parties(),
      });
      expect(await valueAt(1, created.contractAddress as Address)).toBe(7n);
    });

    it('hides a transaction of a local key behind a marker', async () => {
      const hash = await at(0).writePrivateContract({
        address,
        abi,
        functionName: 'set',
        args: [45n],
        gas: GAS,
        marker: true,
        account: local,
        privateFor: [B],
      });
      const receipt = await at(0).waitForPrivateReceipt({ hash, parties: parties() });
      expect(receipt).toMatchObject({
        status: 'success',
        isBehindMarker: true,
        isParty: true,
        isAgreed: true,
      });
      expect(receipt.logs).toHaveLength(1);
      expect(await valueAt(1)).toBe(45n);
      expect(await at(0).getPrivateTransaction({ hash })).toMatchObject({ to: address });
      expect(await at(2).getPrivateTransaction({ hash })).toBeUndefined();
      expect(await at(2).waitForPrivateReceipt({ hash })).toMatchObject({ isParty: false });
    });

    it('sends a marker by a wallet of EIP-1193 that has the account, and refuses another', async () => {
      const asked: string[] = [];
      const key = `0x${Buffer.from(accounts[0]?.privateKey ?? []).toString('hex')}` as Hex;
      const wallet = privateKeyToAccount(key);
      const provider = {
        async request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
          asked.push(method);
          if (method !== 'eth_sendTransaction') return nodes[0]?.result(method, params as []);
          const [sent] = params as [{ to: Address; data: Hex; nonce: Hex; gas: Hex }];
          const { to, data, nonce, gas } = sent;
          const request = { type: 'legacy', chainId: 1337, to, data, gasPrice: 0n } as const;
          const signed = await wallet.signTransaction({ ...request, nonce: Number(nonce), gas: BigInt(gas) });
          return nodes[0]?.result('eth_sendRawTransaction', [signed]);
        },
      };
      const marker = createWalletClient({ account: own, transport: custom(provider) });
      const call = { address, abi, functionName: 'set', args: [46n], gas: GAS, privateFor: [B] } as const;
      const hash = await at(0).writePrivateContract({ ...call, account: own, marker });
      expect(await at(0).waitForPrivateReceipt({ hash, parties: parties() })).toMatchObject({
        status: 'success',
        isParty: true,
      });
      expect(await valueAt(1)).toBe(46n);
      expect(asked).toContain('eth_sendTransaction');
      await expect(at(0).writePrivateContract({ ...call, account: local, marker })).rejects.toThrow(
        MarkerSenderError,
      );
    });

    it('decodes why a transaction reverts, before it is sent and after', async () => {
      const call = { address, abi, functionName: 'set', account: own, privateFor: [B] } as const;
      const estimated = at(0).writePrivateContract({ ...call, args: [2000n] });
      await expect(estimated).rejects.toThrow(ContractFunctionExecutionError);
      await expect(estimated).rejects.toThrow(/TooLarge\(uint256 limit\)[^]*\(1000\)/);
      const hash = await at(0).writePrivateContract({ ...call, args: [2000n], gas: GAS });
      const { status, revertError } = await at(0).waitForPrivateReceipt({ hash, abi });
      expect({ status, data: revertError?.data }).toMatchObject({
        status: 'reverted',
        data: { errorName: 'TooLarge', args: [1000n] },
      });
      const unlucky = await at(0).writePrivateContract({ ...call, args: [13n], gas: GAS, account: local });
      expect((await at(0).waitForPrivateReceipt({ hash: unlucky })).revertError?.reason).toBe('unlucky');
    });

    it('sends with each protection, and reads it', async () => {
      for (const privacyFlag of ['counterpartyProtection', 'mandatoryParties', 'stateValidation'] as const) {
        const mandatoryFor = privacyFlag === 'mandatoryParties' ? { mandatoryFor: [B] } : {};
        const hash = await at(0).deployPrivateContract({
          abi,
          bytecode: BOX_BYTECODE,
          args: [1n],
          account: local,
          privateFor: [B],
          privacyFlag,
          ...mandatoryFor,
        });
        const { contractAddress, isAgreed } = await at(0).waitForPrivateReceipt({ hash, parties: parties() });
        expect(isAgreed).toBe(true);
        const privacy = await at(1).getContractPrivacy({ address: contractAddress as Address });
        expect(privacy).toMatchObject({ privacyFlag, mandatoryFor: [], ...mandatoryFor });
        expect(await at(1).getPrivatePayload({ hash: privacy.creationPayloadHash })).toMatch(/^0x6080/);
      }
    });

    it('sends restricted transactions with a local key', async () => {
      const parties = { privateFrom: A, privateFor: [B] };
      const hash = await at(0).sendRestrictedTransaction({
        account: local,
        data: BOX_BYTECODE + '2a'.padStart(64, '0'),
        gas: GAS,
        ...parties,
      } as Parameters<ReturnType<typeof connect>['sendRestrictedTransaction']>[0]);
      const receipt = await at(0).waitForPrivateReceipt({ hash, parties: [at(1)] });
      expect(receipt).toMatchObject({ status: 'success', isBehindMarker: true, isAgreed: true });
      expect(await valueAt(1, receipt.contractAddress as Address)).toBe(42n);
      expect(await at(0).getRestrictedNonce({ address: local.address, ...parties })).toBe(1n);
      expect(await at(2).waitForPrivateReceipt({ hash })).toMatchObject({ isParty: false });
    });

    it('names the reason of a rejection', async () => {
      const unknown = at(0).sendPrivateTransaction({
        account: other,
        to: address,
        data: '0x00',
        privateFor: [C],
      });
      await expect(unknown).rejects.toThrow(TetradRequestError);
      await expect(unknown).rejects.toMatchObject({
        reason: 'UNKNOWN_ACCOUNT',
        method: 'eth_sendTransaction',
      });
    });

    it('ends the wait for a transaction that was not sent', async () => {
      const waiting = at(0).waitForPrivateReceipt({ hash: `0x${'12'.repeat(32)}`, timeout: 100 });
      await expect(waiting).rejects.toThrow(WaitForPrivateReceiptTimeoutError);
    });
  });
}
