import { Interface } from 'ethers/abi';
import { FaultyProxy } from '@tetrad/testkit';
import { bytesFromHex } from '@tetrad/types';
import type { PrivacyNetwork } from '../../../node/test/privacy-network.js';
import {
  ExtensionClient,
  startExtensionNetwork,
} from '../../../node/test/rpc/chainExtension/extension-client.js';
import { signRestricted } from '../../../node/test/rpc/privacy/restricted-transaction.js';
import { CHAIN_ID } from '../../../node/test/running-node.js';
import { startConsole, type RunningConsole } from '../running-console.js';

/** Reverts with its calldata, and the code that deploys it. */
const REVERTER = '0x69366000600037366000fd600052600a6016f3';
/** LOG0 of nothing, then STOP as the code. */
export const LOGS = '0x60006000a060016000f3';
export const SCRIPT = '<img src=x onerror=alert(1)>"><script>alert(2)</script>';
const REVERT = new Interface(['error Error(string)']).encodeErrorResult('Error', [SCRIPT]);

/** Places of nodes: the first sends privacy markers, the second private transactions, the third is a party to neither. */
export const [MARKING, SENDING, OUTSIDE] = [0, 1, 2] as const;

/** Hashes of transactions, and the contract that one of them created. */
interface Sent {
  readonly failed: string;
  readonly created: string;
  readonly restricted: string;
  readonly contract: string;
}

/** Three nodes with a manager each, private transactions, and a console. */
export interface ThreeBanks {
  readonly network: PrivacyNetwork;
  readonly client: ExtensionClient;
  /** Of the third node to its manager. */
  readonly link: FaultyProxy;
  readonly console: RunningConsole;
  readonly sent: Sent;
  stop(): Promise<void>;
}

export async function startThreeBanks(): Promise<ThreeBanks> {
  let target = 0;
  const link = await FaultyProxy.open({ port: () => target });
  const network = await startNetwork(link, (port) => (target = port));
  const client = new ExtensionClient(network);
  const sent = await transact(client);
  const console = await startConsole([
    { name: 'bank-a', rpc: client.nodeAt(MARKING).url },
    { name: 'bank-b', rpc: client.nodeAt(SENDING).url },
    { name: SCRIPT, rpc: client.nodeAt(OUTSIDE).url },
    { name: 'gone', rpc: 'http://127.0.0.1:1' },
  ]);
  return {
    network,
    client,
    link,
    console,
    sent,
    async stop() {
      await console.stop();
      await network.stop();
      await link.close();
    },
  };
}

/** Three nodes with a manager each; the link of the third one to its manager can be cut. */
async function startNetwork(link: FaultyProxy, setTarget: (port: number) => void): Promise<PrivacyNetwork> {
  return startExtensionNetwork(3, {
    modules: 'eth,admin,chainExtension,eea,priv,privacy,explorer',
    emptyBlockPeriodSeconds: 1,
    managerOptionsOf: () => ({ partyIntervalMs: 1_000 }),
    flags: ['--revert-reason', 'true'],
    flagsOf: (index) =>
      index === MARKING
        ? ['--privacy-markers', 'true', '--address-index']
        : index === OUTSIDE
          ? ['--private-state-wait', '5s']
          : [],
    urlOf: (index, managers) => {
      const url = managers[index]?.url ?? '';
      if (index !== OUTSIDE) return url;
      setTarget(Number(new URL(url).port));
      return `http://127.0.0.1:${link.port}`;
    },
  });
}

/** One private transaction of each kind between the first two nodes, and an extension that waits for the third. */
async function transact(client: ExtensionClient): Promise<Sent> {
  const mined = async (index: number, request: Parameters<ExtensionClient['send']>[1]) => {
    const { result, error } = await client.send(index, request);
    if (error !== undefined) throw new Error(error.message);
    const hash = result as string;
    return { hash, receipts: await client.minedAll({ result: hash }) };
  };
  const { hash } = await mined(MARKING, { data: REVERTER, parties: [SENDING] });
  const behind = await client
    .nodeAt(MARKING)
    .result<{ contractAddress: string }>('eth_getPrivateTransactionReceipt', [hash]);
  const failed = (await mined(MARKING, { to: behind.contractAddress, data: REVERT, parties: [SENDING] }))
    .hash;
  const { hash: creation, receipts } = await mined(SENDING, {
    data: LOGS,
    parties: [MARKING],
    privacyFlag: 1,
  });
  const contract = receipts[SENDING]?.contractAddress ?? '';
  const restricted = await sendRestricted(client);
  await client.begin(SENDING, OUTSIDE, contract);
  return { failed, created: creation, restricted, contract };
}

async function sendRestricted(client: ExtensionClient): Promise<string> {
  const recipients = [client.key(SENDING)];
  const content = { nonce: 0n, chainId: BigInt(CHAIN_ID), data: bytesFromHex(LOGS), recipients };
  const raw = signRestricted({ ...content, privateFrom: client.key(MARKING) }, Buffer.alloc(32, 0x61));
  const answer = await client.nodeAt(MARKING).call('eea_sendRawTransaction', [raw]);
  await client.minedAll(answer);
  return answer.result as string;
}
