/**
 * web3.js writes a stack to `Function` with its errors, so that this file has a realm of its own.
 * @jest-environment node
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRequire } from 'node:module';
import { until } from '@tetrad/testkit';
import { Interface, Wallet } from 'ethers';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
} from '../privacy-network.js';
import { recordedPrivacy } from '../recorded-privacy.js';
import type { RunningNode } from '../running-node.js';

/** What is used of web3.js 1.x with its package for private networks; both are CommonJS without such types. */
interface PrivateWeb3 {
  readonly eth: {
    readonly defaultCommon?: unknown;
    sendGoQuorumTransaction(transaction: object): Promise<Receipt>;
    getQuorumPayload(hash: string): Promise<string>;
    getTransaction(hash: string): Promise<{ input: string; v: string }>;
    getTransactionCount(address: string): Promise<number>;
    call(transaction: object): Promise<string>;
    storageRoot(address: string): Promise<string>;
    getPSI(): Promise<string>;
    getContractPrivacyMetadata(address: string): Promise<{ creationTxHash: string; privacyFlag: number }>;
    getCode(address: string): Promise<string>;
    Contract: new (
      abi: readonly object[],
      address?: string,
    ) => {
      readonly methods: Readonly<
        Record<string, (...args: readonly unknown[]) => { encodeABI(): string; call(): Promise<string> }>
      >;
    };
  };
  readonly ptm: {
    send(options: object): Promise<string>;
    storeRaw(options: object): Promise<string>;
    upCheck(): Promise<string>;
  };
  readonly priv: {
    generateAndSendRawTransaction(options: object): Promise<Receipt>;
  };
  extend(methods: object): void;
  /** The package has no methods of extensions: its users add them by hand, under the names of GoQuorum. */
  readonly quorumExtension: {
    activeExtensionContracts(): Promise<readonly { managementContractAddress: string }[]>;
    extendContract(...params: readonly unknown[]): Promise<string>;
    generateExtensionApprovalUuid(...params: readonly unknown[]): Promise<string>;
    getExtensionStatus(management: string): Promise<string>;
  };
}

const EXTENSION_METHODS = [
  ['activeExtensionContracts', 0],
  ['extendContract', 4],
  ['generateExtensionApprovalUuid', 3],
  ['getExtensionStatus', 1],
] as const;
const extensionMethods = {
  property: 'quorumExtension',
  methods: EXTENSION_METHODS.map(([name, params]) => ({ name, call: `quorumExtension_${name}`, params })),
};

interface Receipt {
  readonly transactionHash: string;
  readonly contractAddress: string;
  readonly status: boolean | string;
}

const load = createRequire(import.meta.url);
const [Web3, extend] = [load('web3-1'), load('web3js-quorum')] as [
  new (url: string) => object,
  (web3: object, enclave: object, isQuorum: boolean) => PrivateWeb3,
];

const recorded = recordedPrivacy('private');
const creation = String(recorded.steps[1]?.args['data']);
const { abi } = recorded as unknown as { readonly abi: readonly object[] };
const [A, B, C] = RECORDED_KEYS.map(({ publicKey }) => publicKey as string) as [string, string, string];

describe('web3.js with its package for private networks', () => {
  let network: PrivacyNetwork;
  let nodes: readonly RunningNode[];
  let clients: PrivateWeb3[];
  let contract: string;
  const [account, other] = recordedAccounts(3).map(({ address }) => address as string) as [string, string];
  const external = new Wallet(`0x${'61'.repeat(32)}`);
  const recipient = new Wallet(`0x${'62'.repeat(32)}`);
  const voting = new Interface(['function doVote(bool vote, string nextuuid)']);

  beforeAll(async () => {
    network = await startPrivacyNetwork({
      keys: RECORDED_KEYS,
      accounts: recordedAccounts(3),
      flags: ['--rpc-alias', 'eth_getQuorumPayload=eth_getChainPayload,quorumExtension=chainExtension'],
      modules: 'admin,eth,net,web3,chainExtension',
    });
    ({ nodes } = network);
    clients = nodes.map((node, index) =>
      extend(new Web3(node.url), { privateUrl: network.managers[index]?.url }, true),
    );
    for (const one of clients) one.extend(extensionMethods);
  });
  afterAll(() => network?.stop());

  const client = (index: number) => clients[index] as PrivateWeb3;
  const boxOf = (index: number) => new (client(index).eth.Contract)(abi, contract);
  const setTo = (value: number) => boxOf(0).methods['set']?.(value).encodeABI() as string;
  const valuesAt = (indexes: readonly number[]) =>
    Promise.all(indexes.map((index) => boxOf(index).methods['value']?.().call()));

  it('deploys with an account of the node', async () => {
    const { transactionHash } = await client(0).eth.sendGoQuorumTransaction({
      from: account,
      data: creation,
      gas: 3_000_000,
      privateFrom: A,
      privateFor: [B],
    });
    const receipts = await Promise.all(nodes.map((node) => node.mined(transactionHash)));
    contract = String(receipts[0]?.contractAddress);
    expect(receipts.map(({ status }) => status)).toEqual(['0x1', '0x1', '0x1']);
    expect(await valuesAt([0, 1])).toEqual(['42', '42']);
    await expect(boxOf(2).methods['value']?.().call()).rejects.toThrow();
  });

  it('reads the payload behind the transaction, as a party and as another', async () => {
    const { transactionHash } = await client(1).eth.sendGoQuorumTransaction({
      from: other,
      to: contract,
      data: setTo(43),
      gas: 3_000_000,
      privateFrom: B,
      privateFor: [A],
    });
    await Promise.all(nodes.map((node) => node.mined(transactionHash)));
    const { input } = await client(2).eth.getTransaction(transactionHash);
    const payloads = await Promise.all(clients.map(({ eth }) => eth.getQuorumPayload(input)));
    expect(payloads).toEqual([setTo(43), setTo(43), '0x']);
    expect(await valuesAt([0, 1])).toEqual(['43', '43']);
  });

  it('sends a transaction that it signed, over a payload that it stored with the manager', async () => {
    expect(await client(0).ptm.upCheck()).toBe("I'm up!");
    const { transactionHash } = await client(0).priv.generateAndSendRawTransaction({
      isPrivate: true,
      nonce: 0,
      gasLimit: 3_000_000,
      gasPrice: 0,
      value: 0,
      to: contract,
      data: setTo(44),
      from: { privateKey: external.privateKey },
      privateFrom: A,
      privateFor: [B],
    });
    await Promise.all(nodes.map((node) => node.mined(transactionHash)));
    expect(await valuesAt([0, 1])).toEqual(['44', '44']);
  });

  it('distributes for a marker that a plain wallet signs', async () => {
    const hash = await client(0).ptm.storeRaw({ data: setTo(45), privateFrom: A });
    const inner = await nodes[0]?.result<{ raw: string }>('eth_signTransaction', [
      {
        from: account,
        to: contract,
        data: `0x${hash}`,
        nonce: '0x1',
        gas: '0x2dc6c0',
        gasPrice: '0x0',
        privateFor: [B],
      },
    ]);
    const carried = await nodes[0]?.result<string>('eth_distributePrivateTransaction', [
      inner?.raw,
      { privateFor: [B], privateFrom: A },
    ]);
    const wallet = new Wallet(`0x${Buffer.from(recordedAccounts(1)[0]?.privateKey ?? []).toString('hex')}`);
    const marker = await wallet.signTransaction({
      type: 0,
      chainId: 1337,
      nonce: 1,
      gasLimit: 30_000,
      gasPrice: 0,
      data: carried ?? '0x',
      to: await nodes[0]?.result<string>('eth_getPrivacyPrecompileAddress'),
    } as Parameters<Wallet['signTransaction']>[0]);
    const sent = (await nodes[0]?.result<string>('eth_sendRawTransaction', [marker])) as string;
    await Promise.all(nodes.map((node) => node.mined(sent)));
    const seen = await Promise.all(
      nodes.map((node) => node.result<{ status: string } | null>('eth_getPrivateTransactionReceipt', [sent])),
    );
    expect(seen.map((receipt) => receipt?.status)).toEqual(['0x1', '0x1', undefined]);
    expect(await valuesAt([0, 1])).toEqual(['45', '45']);
  });

  it('reads its private state id, and the protection of a contract', async () => {
    expect(await client(0).eth.getPSI()).toBe('private');
    const { transactionHash, contractAddress } = await client(0).eth.sendGoQuorumTransaction({
      from: account,
      data: creation,
      gas: 3_000_000,
      privateFrom: A,
      privateFor: [B],
      privacyFlag: 1,
    });
    const { input } = await client(0).eth.getTransaction(transactionHash);
    expect(await client(0).eth.getContractPrivacyMetadata(contractAddress)).toEqual({
      creationTxHash: Buffer.from(input.slice(2), 'hex').toString('base64'),
      privacyFlag: 1,
    });
  });

  it('extends a contract to an account whose key it holds itself (P-38)', async () => {
    const { quorumExtension: ofInitiator } = client(0);
    const { quorumExtension: ofRecipient } = client(2);
    expect(await client(2).eth.getCode(contract)).toBe('0x');
    const begun = await ofInitiator.extendContract(contract, C, recipient.address, {
      from: account,
      privateFor: [C],
    });
    const [created] = await Promise.all(nodes.map((node) => node.mined(begun)));
    const management = created?.contractAddress as string;
    const isListed = async () =>
      (await ofRecipient.activeExtensionContracts()).some(
        (one) => one.managementContractAddress === management,
      );
    await until(isListed);
    const txArgs = { from: recipient.address, privateFor: [A] };
    const uuid = await ofRecipient.generateExtensionApprovalUuid(management, recipient.address, txArgs);
    expect(uuid).toMatch(/^0x[0-9a-f]{128}$/);
    await client(2).priv.generateAndSendRawTransaction({
      isPrivate: true,
      nonce: 0,
      gasLimit: 3_000_000,
      gasPrice: 0,
      value: 0,
      to: management,
      data: voting.encodeFunctionData('doVote', [true, uuid]),
      from: { privateKey: recipient.privateKey },
      privateFrom: C,
      privateFor: [A],
    });
    await until(async () => (await ofRecipient.getExtensionStatus(management)) === 'DONE');
    expect(await valuesAt([0, 1, 2])).toEqual(['45', '45', '45']);
  });
});
