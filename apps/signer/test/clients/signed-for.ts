import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { KB, KB_ADDRESS } from '../reference-keys.js';
import { startSigner, type RpcAnswer, type RunningSigner } from '../running-signer.js';
import { startAnvil } from './anvil.js';
import { CLIENT_CHAIN, type ClientSetup, type EthereumClient } from './ethereum-client.js';
import { startOurNode } from './our-node.js';

const BIN = join(import.meta.dirname, '../../../../node_modules/.bin');

/** Anvil's binary comes in a package per platform. */
const CLIENTS: readonly {
  readonly name: string;
  readonly isHere: boolean;
  readonly start: (setup: ClientSetup) => Promise<EthereumClient>;
}[] = [
  { name: 'our node', isHere: true, start: startOurNode },
  { name: 'anvil', isHere: existsSync(join(BIN, 'anvil')), start: (setup) => startAnvil(BIN, setup) },
];

/** A real client and the signer in front of it. */
export class SignedFor {
  constructor(
    readonly client: EthereumClient,
    readonly signer: RunningSigner,
  ) {}

  /** Asks for a transaction of the signer's account, or whatever else the members say. */
  send(transaction: object): Promise<RpcAnswer & { readonly status: number }> {
    return this.signer.call('eth_sendTransaction', [{ from: KB_ADDRESS, ...transaction }]);
  }

  /**
   * Sends what must be taken.
   * @returns the transaction as the client knows it once it is mined
   */
  async sent(transaction: object): Promise<Readonly<Record<string, string>>> {
    return this.taken(await this.send(transaction));
  }

  /**
   * @param options - the answer to a send that must be taken
   * @returns as of `sent`
   */
  async taken({ result, error }: RpcAnswer): Promise<Readonly<Record<string, string>>> {
    if (error !== undefined) throw new Error(`${error.code} ${error.message}`);
    await this.client.mined(result);
    return this.client.result('eth_getTransactionByHash', [result]);
  }

  async balance(address: string): Promise<bigint> {
    return BigInt(await this.client.result<string>('eth_getBalance', [address, 'latest']));
  }

  async count(): Promise<number> {
    return Number(await this.client.result<string>('eth_getTransactionCount', [KB_ADDRESS, 'pending']));
  }
}

/** Describes what holds in front of each of the clients; the signer has the key KB, which owns 1,000 ether. */
export function describeSignedFor(what: string, body: (started: () => SignedFor) => void): void {
  for (const { name, isHere, start } of CLIENTS) {
    (isHere ? describe : describe.skip)(`${what}, for ${name},`, () => {
      let client: EthereumClient | undefined;
      let started: SignedFor | undefined;
      beforeAll(async () => {
        client = await start({ owner: KB_ADDRESS });
        const settings = { downstreamPort: client.port, chainId: CLIENT_CHAIN, privateKey: KB };
        started = new SignedFor(client, await startSigner(settings));
      });
      afterAll(async () => {
        await started?.signer.stop();
        await client?.stop();
      });
      body(() => {
        if (started === undefined) throw new Error('the client did not start');
        return started;
      });
    });
  }
}
