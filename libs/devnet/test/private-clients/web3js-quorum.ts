import { createRequire } from 'node:module';
import type { Endpoints } from '@tetrad/devnet';

/** The parts used of web3.js 1.x with its package for private networks; both are CommonJS without such types. */
export interface PrivateWeb3 {
  readonly eth: {
    sendGoQuorumTransaction(transaction: object): Promise<{ readonly transactionHash: string }>;
    getQuorumPayload(hash: string): Promise<string>;
    getContractPrivacyMetadata(address: string): Promise<{ privacyFlag: number }>;
  };
  readonly permission: Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>;
  readonly quorumExtension: Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>;
  readonly signed: Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>;
  extend(methods: object): void;
}

const load = createRequire(import.meta.url);
const [Web3, extend] = [load('web3-1'), load('web3js-quorum')] as [
  new (url: string) => object,
  (web3: object, enclave: object, isQuorum: boolean) => PrivateWeb3,
];

/** The package over a node and its manager. */
export function web3Of({ rpc, ptm }: Endpoints['nodes'][number]): PrivateWeb3 {
  const web3 = extend(new Web3(rpc), { privateUrl: ptm }, true);
  const methods = (prefix: string, all: Readonly<Record<string, number>>) =>
    Object.entries(all).map(([name, params]) => ({ name, call: `${prefix}_${name}`, params }));
  // The package has no methods of extensions, and its permission methods have no parameter for the sender.
  const extension = {
    extendContract: 4,
    approveExtension: 3,
    getExtensionStatus: 1,
    activeExtensionContracts: 0,
  };
  web3.extend({ property: 'quorumExtension', methods: methods('quorumExtension', extension) });
  const actions = { addOrg: 4, approveOrg: 4, addNewRole: 6, addAccountToOrg: 4, updateAccountStatus: 4 };
  web3.extend({ property: 'signed', methods: methods('quorumPermission', actions) });
  return web3;
}
