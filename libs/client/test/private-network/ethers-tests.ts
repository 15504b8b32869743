import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import {
  Contract,
  ContractFactory,
  JsonRpcProvider,
  VoidSigner,
  Wallet,
  isError,
  type BaseContract,
  type ContractTransactionResponse,
} from 'ethers';
import {
  RECORDED_KEYS,
  recordedAccounts,
  type PrivacyNetwork,
} from '../../../../apps/node/test/privacy-network.js';
import { PrivateProvider, PrivateSigner, clientOfProvider } from '../../src/ethers/index.js';
import { InvalidPrivacyError, TetradRequestError, privateActions } from '../../src/index.js';
import { BOX_ABI, BOX_BYTECODE } from './box.js';

const [B, C] = RECORDED_KEYS.map(({ publicKey }) => publicKey as string).slice(1) as [string, string];
const accounts = recordedAccounts(3);
const wallet = new Wallet(`0x${'62'.repeat(32)}`);

/** What the tests call of a contract; ethers has its functions by name without types. */
type Box = BaseContract & {
  value(): Promise<bigint>;
  set(next: number, overrides?: object): Promise<ContractTransactionResponse>;
};

let network: PrivacyNetwork;
let provider: PrivateProvider;
let party: JsonRpcProvider;
let outsider: JsonRpcProvider;
async function deploy(signer: PrivateSigner): Promise<Box> {
  const contract = await new ContractFactory(BOX_ABI, BOX_BYTECODE, signer).deploy(42n);
  return (await contract.waitForDeployment()) as Box;
}
const heightOf = async (node: JsonRpcProvider) => Number(await node.send('eth_blockNumber', []));
/** The contract at another node, once that has the blocks of the first one. */
const at = async (box: Box, of: JsonRpcProvider) => {
  const height = await heightOf(provider);
  await until(async () => (await heightOf(of)) >= height);
  return new Contract(await box.getAddress(), BOX_ABI, of) as unknown as Box;
};

/** Contracts of its own, by accounts of the first node and a local key. */
export function testEthers(running: () => PrivacyNetwork): void {
  beforeAll(() => {
    network = running();
    const [first, second, third] = network.nodes.map(({ url }) => url) as [string, string, string];
    const options = { pollingInterval: 50 };
    provider = new PrivateProvider(first, { privateFor: [B] }, options);
    party = new JsonRpcProvider(second, undefined, options);
    outsider = new JsonRpcProvider(third, undefined, options);
  });
  afterAll(() => {
    for (const one of [provider, party, outsider]) one?.destroy();
  });

  describe('signers of ethers that send privately', () => {
    it('deploys and calls a contract with an account of the node, by its own provider', async () => {
      const box = await deploy(await provider.getPrivateSigner());
      const sent = await box.set(43);
      const receipt = await sent.wait();
      expect(receipt).toMatchObject({ status: 1, logs: [{ args: [43n] }] });
      const { isAgreed } = await provider.waitForPrivateTransaction(sent.hash, {
        parties: [clientOfProvider(party)],
      });
      expect(isAgreed).toBe(true);
      expect(await (await at(box, party)).value()).toBe(43n);
      expect(await outsider.getCode(await box.getAddress())).toBe('0x');
    });

    it('signs with the key of a wallet, which the node does not have', async () => {
      const box = await deploy(await provider.getPrivateSigner(wallet));
      await (await box.set(44)).wait();
      const values = [box, await at(box, party)].map((one) => one.value());
      expect(await Promise.all(values)).toEqual([44n, 44n]);
      expect(await outsider.getCode(await box.getAddress())).toBe('0x');
      expect((await provider.getTransaction(box.deploymentTransaction()?.hash ?? ''))?.from).toBe(
        wallet.address,
      );
    });

    it('takes recipients and protection of one call from its custom data', async () => {
      const signer = await provider.getPrivateSigner(wallet);
      const factory = new ContractFactory(BOX_ABI, BOX_BYTECODE, signer);
      const customData = { privateFor: [B, C], privacyFlag: 'counterpartyProtection' };
      const box = (await (await factory.deploy(1n, { customData })).waitForDeployment()) as Box;
      const address = (await box.getAddress()) as `0x${string}`;
      expect(await (await at(box, outsider)).value()).toBe(1n);
      expect(await provider.privateActions.getContractPrivacy({ address })).toMatchObject({
        privacyFlag: 'counterpartyProtection',
      });
      await (await box.set(2, { customData })).wait();
      expect(await (await at(box, outsider)).value()).toBe(2n);
    });

    it('sends for others as another signer of the same account', async () => {
      const signer = await provider.getPrivateSigner(accounts[0]?.address);
      const box = await deploy(signer.withPrivacy({ privateFor: [C] }));
      expect(await party.getCode(await box.getAddress())).toBe('0x');
      expect(await (await at(box, outsider)).value()).toBe(42n);
    });

    it('works with a provider of ethers’ own', async () => {
      const plain = new JsonRpcProvider(network.nodes[0]?.url, undefined, { pollingInterval: 50 });
      const signer = new PrivateSigner(wallet.connect(plain), { privateFor: [B] });
      const box = await deploy(signer);
      const { isAgreed } = await clientOfProvider(plain)
        .extend(privateActions())
        .waitForPrivateReceipt({
          hash: (box.deploymentTransaction()?.hash ?? '0x') as `0x${string}`,
          parties: [clientOfProvider(party)],
        });
      expect(isAgreed).toBe(true);
      plain.destroy();
    });
  });

  describe('what a private signer of ethers refuses', () => {
    const refusal = (sent: Promise<unknown>) => sent.then(undefined, (error: unknown) => error);

    it('throws a call exception with the contract’s error, and sends nothing', async () => {
      for (const account of [0, wallet]) {
        const signer = await provider.getPrivateSigner(account);
        const box = await deploy(signer);
        const nonce = await signer.getNonce('pending');
        const error = await refusal(box.set(1001));
        if (!isError(error, 'CALL_EXCEPTION')) throw error;
        expect(box.interface.parseError(error.data ?? '0x')).toMatchObject({
          name: 'TooLarge',
          args: [1000n],
        });
        expect(await signer.getNonce('pending')).toBe(nonce);
      }
    });

    it('names what a private transaction cannot have', async () => {
      const signer = await provider.getPrivateSigner(wallet);
      const to = accounts[0]?.address ?? '';
      const refused = [
        [{ to, value: 1n }, 'value'],
        [{ to, type: 2 }, 'type'],
        [{ to, maxFeePerGas: 1n }, 'maxFeePerGas'],
        [{ to, customData: { privateFor: undefined } }, 'privateFor'],
        [{ to, customData: { privateFor: ['key'] } }, 'privateFor'],
      ] as const;
      for (const [request, field] of refused) {
        const error = await refusal(signer.sendTransaction(request));
        expect(error).toBeInstanceOf(InvalidPrivacyError);
        expect(error).toMatchObject({ field });
      }
    });

    it('has the reason of a rejection by the node', async () => {
      const signer = await provider.getPrivateSigner(wallet, { privateFrom: B });
      const error = await refusal(signer.sendTransaction({ data: '0x60016000f3' }));
      expect(error).toBeInstanceOf(TetradRequestError);
    });

    it('needs a signer that signs hashes, with a JSON-RPC provider', async () => {
      expect(() => new PrivateSigner(wallet)).toThrow(InvalidPrivacyError);
      const other = new PrivateSigner(new VoidSigner(wallet.address, provider), { privateFor: [B] });
      await expect(other.sendTransaction({ data: '0x00' })).rejects.toMatchObject({
        name: 'AccountCannotSignPrivatelyError',
      });
    });
  });
}
