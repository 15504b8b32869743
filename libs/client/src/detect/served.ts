import type { Client } from 'viem';
import { getChainId } from 'viem/actions';
import { codesOf, reasonOf } from '../errors/request-error.js';
import { callMethod } from '../wire/call-method.js';

/** What is at a URL. */
export interface Served {
  /** A node, or a signer that passes other methods on to its node. */
  readonly service: 'node' | 'signer';
  readonly chainId: number;
  /** Exposed namespaces; undefined where the node does not say. */
  readonly modules: readonly string[] | undefined;
  /** How blocks are ordered; undefined where neither namespace is exposed. */
  readonly consensus: 'bft' | 'raft' | undefined;
  /** Whether the node has a private transaction manager. */
  readonly hasPrivacy: boolean;
  /** Whether permissions are enforced; undefined where the namespace is not exposed. */
  readonly hasPermissions: boolean | undefined;
}

/** A service that has no chain: the wallet of a coin network (`coinActions`), or an operator of the rollup. */
export interface ServedWithoutChain {
  readonly service: 'wallet' | 'rollup-operator';
}

const METHOD_NOT_FOUND = -32601;
const NO_PAYLOAD = `0x${'00'.repeat(64)}` as const;
const NO_ACCOUNT = `0x${'00'.repeat(20)}` as const;

/**
 * Asks what is at a URL, by questions that change nothing.
 *
 * @param client - client of a node, signer, wallet or operator of the rollup
 */
export async function findServed(client: Client): Promise<Served | ServedWithoutChain> {
  const service = await serviceWithoutChain(client);
  return service === undefined ? findServedOnChain(client) : { service };
}

/** Parameters are left out, so that a service which has the method refuses them. */
const ask = (client: Client, method: string) =>
  answers(client.request({ method: method as never, params: [] as never }));

async function serviceWithoutChain(client: Client): Promise<ServedWithoutChain['service'] | undefined> {
  if ((await ask(client, 'eth_chainId')) !== undefined) return undefined;
  const [isWallet, isOperator] = await Promise.all([
    ask(client, 'Coin.WalletVerify'),
    ask(client, 'pazkp_findAccountById'),
  ]);
  return isWallet !== undefined ? 'wallet' : isOperator !== undefined ? 'rollup-operator' : undefined;
}

async function findServedOnChain(client: Client): Promise<Served> {
  const [chainId, modules, service, hasPrivacy, hasPermissions, isBft, isRaft] = await Promise.all([
    getChainId(client),
    modulesOf(client),
    ask(client, 'eea_sendTransaction'),
    answers(callMethod(client, 'eth_getChainPayload', NO_PAYLOAD), 'PRIVACY_NOT_AVAILABLE'),
    answers(
      callMethod(client, 'chainPermission_transactionAllowed', { from: NO_ACCOUNT }),
      'PERMISSIONING_NOT_ENABLED',
    ),
    answers(callMethod(client, 'ibft_nodeAddress'), 'CONSENSUS_NOT_AVAILABLE'),
    answers(callMethod(client, 'raft_role'), 'RAFT_NOT_AVAILABLE'),
  ]);
  return {
    service: service === undefined ? 'node' : 'signer',
    chainId,
    modules,
    consensus: isBft === true ? 'bft' : isRaft === true ? 'raft' : undefined,
    hasPrivacy: hasPrivacy === true,
    hasPermissions,
  };
}

async function modulesOf(client: Client): Promise<readonly string[] | undefined> {
  try {
    return Object.keys(await callMethod(client, 'rpc_modules'));
  } catch (error) {
    if (codesOf(error).includes(METHOD_NOT_FOUND)) return undefined;
    throw error;
  }
}

/**
 * Whether a method does its work.
 *
 * @param call - a call of it
 * @param absence - reason with which it says that it does not
 * @returns undefined when there is no such method
 */
async function answers(call: Promise<unknown>, absence?: string): Promise<boolean | undefined> {
  try {
    await call;
    return true;
  } catch (error) {
    const codes = codesOf(error);
    if (codes.includes(METHOD_NOT_FOUND)) return undefined;
    // Without a code it is not an answer: the service is not there.
    if (!codes.some((code) => typeof code === 'number')) throw error;
    return absence === undefined || reasonOf(error) !== absence;
  }
}
