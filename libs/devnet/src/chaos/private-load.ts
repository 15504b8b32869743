import { callRpc } from '../demo/call-rpc.js';
import { eventually } from '../demo/eventually.js';
import type { Network } from '../network/network.js';
import { ANSWER_MS, PAUSE_MS, answerWithin, pause } from './offer.js';

/** Two nodes that share a private contract; `others` are not parties to it. */
interface Party {
  readonly index: number;
  readonly rpc: string;
  readonly account: string;
  readonly key: string;
}

/** A contract that stores the number 1 under each word that it is sent. */
export interface PrivateContract {
  readonly address: string;
  readonly parties: readonly Party[];
  readonly outsiders: readonly string[];
  /** Transaction that a node has acknowledged → the word that it sent. */
  readonly acknowledged: Map<string, string>;
}

/** PUSH1 1, PUSH1 0, CALLDATALOAD, SSTORE, STOP, after the code that deploys these seven bytes. */
const CODE = '0x666001600035550060005260076019f3';
const GAS = '0x30d40';

/** Private transactions between pairs of nodes, and the acknowledgements for them. */
export class PrivateLoad {
  private stopped = false;
  private readonly senders: Promise<void>[];

  private constructor(readonly contracts: readonly PrivateContract[]) {
    this.senders = contracts.flatMap((contract) =>
      contract.parties.map((party) => this.send(contract, party)),
    );
  }

  /**
   * Deploys a contract for each pair of nodes.
   * @returns undefined when the nodes have no managers
   */
  static async start({ endpoints }: Network): Promise<PrivateLoad | undefined> {
    const parties = endpoints.nodes.flatMap(({ rpc, accounts: [account], ptmKey }, index) =>
      ptmKey === null || account === undefined ? [] : [{ index, rpc, account, key: ptmKey }],
    );
    if (parties.length < 2) return undefined;
    const urls = endpoints.nodes.map(({ rpc }) => rpc);
    const pairs = Array.from({ length: Math.floor(parties.length / 2) }, (_, pair) =>
      parties.slice(2 * pair, 2 * pair + 2),
    );
    return new PrivateLoad(await Promise.all(pairs.map((pair) => deploy(pair, urls))));
  }

  get acknowledged(): string[] {
    return this.contracts.flatMap(({ acknowledged }) => [...acknowledged.keys()]);
  }

  /** Resolves when every sender has its last answer. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.senders);
  }

  /** One word after the other; a transaction that is not acknowledged may have been accepted all the same, and is not retried. */
  private async send({ address, parties, acknowledged }: PrivateContract, sender: Party): Promise<void> {
    const privateFor = parties.filter((one) => one !== sender).map(({ key }) => key);
    for (let count = 0; !this.stopped; count++) {
      const word = ((sender.index + 1) * 1_000_000 + count).toString(16).padStart(64, '0');
      const transaction = { from: sender.account, to: address, gas: GAS, data: `0x${word}`, privateFor };
      const sent = callRpc(sender.rpc, 'eth_sendTransaction', [transaction]);
      const hash = await answerWithin(ANSWER_MS, sent);
      if (typeof hash === 'string') acknowledged.set(hash, `0x${word}`);
      await pause(PAUSE_MS * 4);
    }
  }
}

async function deploy(parties: readonly Party[], urls: readonly string[]): Promise<PrivateContract> {
  const [first, ...rest] = parties;
  if (first === undefined) throw new Error('a private contract needs a party');
  const privateFor = rest.map(({ key }) => key);
  const creation = { from: first.account, gas: GAS, data: CODE, privateFor };
  const hash = await callRpc(first.rpc, 'eth_sendTransaction', [creation]);
  let address = '';
  for (const { rpc } of parties) {
    await eventually(`${rpc}: the private contract is not there`, async () => {
      const receipt = await callRpc(rpc, 'eth_getTransactionReceipt', [hash]);
      address = (receipt as { readonly contractAddress: string }).contractAddress;
      return (await callRpc(rpc, 'eth_getCode', [address, 'latest'])) !== '0x';
    });
  }
  const outsiders = urls.filter((url) => !parties.some(({ rpc }) => rpc === url));
  return { address, parties, outsiders, acknowledged: new Map() };
}
