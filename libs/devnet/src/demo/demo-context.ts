import type { TraceCollector } from '@tetrad/service/trace-collector';
import { JsonRpcProvider, type JsonRpcSigner } from 'ethers';
import type { Network } from '../network/network.js';
import type { NetworkNode } from '../network/network-node.js';
import type { NetworkOptions } from '../network/network-options.js';
import type { RollupExit } from './rollup-exit.js';

/** The state shared by the steps of the demo. */
export class DemoContext {
  /** Address of the token, once it is deployed. */
  token = '';
  /** Hashes that were returned for the first load. */
  readonly transfers: string[] = [];
  /** Recipients of those transfers and the amount each received. */
  readonly expected = new Map<string, bigint>();

  /** The rollup that a holder is leaving, once its operator is gone. */
  exit: RollupExit | undefined;

  /** Plaintexts of private payloads that were sent. */
  readonly payloads: Uint8Array[] = [];

  constructor(
    readonly network: Network,
    readonly options: NetworkOptions,
    /** Gets the traces of all services. */
    readonly collector: TraceCollector,
  ) {}

  /** Reports what a long step does now, in a line. */
  readonly tell = (what: string): void => console.log(`     … ${what}`);

  /** The node that the clients use. */
  get node(): NetworkNode {
    return this.network.nodes[0] as NetworkNode;
  }

  get nodeUrl(): string {
    return this.node.rpc;
  }

  get signerUrl(): string {
    if (this.network.endpoints.signer === null) throw new Error('the demo needs the signer');
    return this.network.endpoints.signer.rpc;
  }

  get walletUrl(): string {
    const { wallet } = this.network.endpoints;
    if (wallet === null) throw new Error('the demo needs the wallet');
    return `${wallet.rpc}${wallet.path}`;
  }

  /** ethers as a wallet user sees it: the signer holds the key. */
  async signer(): Promise<JsonRpcSigner> {
    const provider = new JsonRpcProvider(this.signerUrl, undefined, { polling: true, pollingInterval: 100 });
    return provider.getSigner();
  }
}

/** What a step showed, or why it could not be shown on this host. */
export type StepResult = string | { readonly skipped: string };

/** Fails with the text unless the condition holds. */
export function assert(condition: boolean, text: string): asserts condition {
  if (!condition) throw new Error(text);
}
