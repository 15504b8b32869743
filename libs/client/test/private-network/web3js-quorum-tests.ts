import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Wallet } from 'ethers';
import { parseAbi, type Address, type Hash, type Hex } from 'viem';
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { RECORDED_KEYS, type PrivacyNetwork } from '../../../../apps/node/test/privacy-network.js';
import { createTetradClient, type TetradClient } from '../../src/index.js';
import { PublishedExamples } from '../published-examples.js';

const [A, B, C] = RECORDED_KEYS.map(({ publicKey }) => publicKey as string) as [string, string, string];
const SIGNING = '7nodes-test/deployContractViaHttp-externalSigningTemplate.js';
const PROTECTION = '7nodes-test/deployContractViaHttp-pe.js';
const abi = parseAbi([
  'constructor(uint256 initVal)',
  'function get() view returns (uint256)',
  'function set(uint256 x)',
]);
const emitter = parseAbi(['function value() view returns (uint256)', 'function store(uint256)']);
/** Gas of the examples. */
const gas = 4_300_000n;

let clients: TetradClient[];
let examples: PublishedExamples;
/** The key that the examples decrypt. */
let account: PrivateKeyAccount;
const at = (index: number) => clients[index] as TetradClient;
const valuesOf = (address: Address) =>
  Promise.all([0, 1].map((index) => at(index).readContract({ address, abi, functionName: 'get' })));
const bytecodeOf = (path: string) =>
  /const bytecode =\s*"(0x[0-9a-f]+)"/.exec(examples.source(path))?.[1] as Hex;
const printedHex = (name: string, printed: string) =>
  new RegExp(`${name}\\W*(0x[0-9a-fA-F]+)`).exec(printed)?.[1]?.toLowerCase() as Hex;

/** The published examples of web3js-quorum, by a key of their own. */
export function testWeb3JsQuorum(running: () => PrivacyNetwork): void {
  beforeAll(async () => {
    const network = running();
    const urls = network.nodes.map(({ url }) => url) as [string, string, string];
    clients = await Promise.all(urls.map((url) => createTetradClient({ url, pollingInterval: 50 })));
    examples = PublishedExamples.write({
      'http://localhost:22000': urls[0],
      'http://localhost:9081': network.managers[0]?.url ?? '',
      'http://localhost:20000': urls[0],
      'http://localhost:20002': urls[1],
      'http://localhost:20004': urls[2],
      'BULeR8JyUWhiuuCMU/HLA0Q5pzkYT+cHII3ZKBey3Bo=': A,
      'QfeDAys9MPDs2XHExtc84jKGHxZg/aj52DTh0vtA3Xc=': B,
      '1iTZde/ndBHvzhcl7V68x44Vx7pl8nwx9LqnM/AfJUg=': C,
    });
    const keyFile = await examples.evaluate(
      SIGNING,
      'show(web3.eth.accounts.encrypt(signAcct.privateKey, ""))',
    );
    const { privateKey } = await Wallet.fromEncryptedJson(JSON.stringify(keyFile), '');
    account = privateKeyToAccount(privateKey as Hex);
  }, 300_000);
  afterAll(() => examples?.remove());

  describe('a key outside of the node', () => {
    let published: { readonly hash: Hash; readonly address: Address };
    let moved: typeof published;

    it('is used by the published example, whose contract the client reads', async () => {
      const printed = await examples.run(SIGNING);
      expect(printed).toContain('receipt :>>');
      published = {
        hash: printedHex('transactionHash', printed),
        address: printedHex('contractAddress', printed),
      };
      const receipt = await at(0).waitForPrivateReceipt({ hash: published.hash, parties: [at(1)] });
      expect(receipt).toMatchObject({ status: 'success', isParty: true, isAgreed: true });
      expect(receipt.from.toLowerCase()).toBe(account.address.toLowerCase());
      expect(await valuesOf(published.address)).toEqual([42n, 42n]);
      expect(await at(2).getCode({ address: published.address })).toBeUndefined();
    }, 120_000);

    it('is used by the example that does it in one call', async () => {
      const printed = await examples.run('7nodes-test/deployContractViaHttp.js');
      expect(printed).toMatch(/^result :>> +42$/m);
      expect(await valuesOf(printedHex('Contract address:', printed))).toEqual([42n, 42n]);
    }, 120_000);

    it('is used by the client, whose contract the library reads', async () => {
      const hash = await at(0).deployPrivateContract({
        abi,
        bytecode: bytecodeOf(SIGNING),
        args: [42n],
        account,
        gas,
        privateFrom: A,
        privateFor: [B],
      });
      const { contractAddress } = await at(0).waitForPrivateReceipt({ hash, parties: [at(1)] });
      moved = { hash, address: contractAddress as Address };
      const read = `show(await new web3.eth.Contract(abi, '${moved.address}').methods.get().call())`;
      expect(await examples.evaluate(SIGNING, read)).toBe('42');
      const waited = `show(await web3.priv.waitForTransactionReceipt('${hash}'))`;
      expect(await examples.evaluate(SIGNING, waited)).toMatchObject({
        status: true,
        contractAddress: expect.stringMatching(new RegExp(moved.address, 'i')),
      });
    }, 120_000);

    it('signs the same transaction on both sides, but for the nonce and the payload', async () => {
      const [old, now] = await Promise.all(
        [published, moved].map(async ({ hash }) => at(0).getTransaction({ hash })),
      );
      const shape = ({ from, to, gas: limit, gasPrice, value, input }: NonNullable<typeof old>) => {
        return { from, to, limit, gasPrice, value, bytes: input.length };
      };
      expect(shape(now as NonNullable<typeof now>)).toEqual(shape(old as NonNullable<typeof old>));
      expect([37n, 38n]).toEqual(expect.arrayContaining([old?.v, now?.v]));
      expect(now?.nonce).toBe((old?.nonce ?? 0) + 2);
      const payloads = await Promise.all(
        [old, now].map((transaction) => at(1).getPrivatePayload({ hash: transaction?.input as Hex })),
      );
      expect(payloads[1]).toBe(payloads[0]);
    });
  });

  describe('protection', () => {
    const asPublished = { privacyFlag: 'mandatoryParties', mandatoryFor: [B] };

    it('is set by the published example, and read by the client', async () => {
      const printed = await examples.run(PROTECTION);
      expect(printed).toContain('Value: 42');
      const address = printedHex('Contract address:', printed);
      expect(await at(0).getContractPrivacy({ address })).toMatchObject(asPublished);
      expect(await valuesOf(address)).toEqual([42n, 42n]);
    }, 120_000);

    it('is set by the client, and read by the library', async () => {
      const hash = await at(0).deployPrivateContract({
        abi,
        bytecode: bytecodeOf(PROTECTION),
        args: [42n],
        account,
        gas,
        privateFrom: A,
        privateFor: [B, A],
        privacyFlag: 'mandatoryParties',
        mandatoryFor: [B],
      });
      const { contractAddress } = await at(0).waitForPrivateReceipt({ hash });
      const read = `show(await web3.eth.getContractPrivacyMetadata('${contractAddress}'))`;
      expect(await examples.evaluate(PROTECTION, read)).toMatchObject({ privacyFlag: 2, mandatoryFor: [B] });
    }, 120_000);
  });

  describe('several nodes', () => {
    it('are used by the published example, whose contract the client reads without a transaction', async () => {
      const printed = await examples.run('example/multiNodeExample/deployContract.js');
      const address = printedHex('CONTRACT_ADDRESS=', printed);
      expect(address).toMatch(/^0x[0-9a-f]{40}$/);
      const environment = { CONTRACT_ADDRESS: address };
      const word = (value: number) => value.toString(16).padStart(64, '0');
      const first = await examples.run('example/multiNodeExample/storeValueFromNode1.js', environment);
      expect(first).toMatch(new RegExp(`Event Emitted: 0x.*${word(1000)}`));
      const read = (index: number) =>
        at(index).readContract({ address, abi: emitter, functionName: 'value' });
      expect(await Promise.all([0, 1].map(read))).toEqual([1000n, 1000n]);
      const second = await examples.run('example/multiNodeExample/storeValueFromNode2.js', environment);
      expect(second).toMatch(/Event Emitted: 0x/);
      expect(await read(0)).toBe(await read(1));
      await expect(read(2)).rejects.toThrow('returned no data');
    }, 240_000);
  });
}
