import {
  createClient,
  defineChain,
  http,
  publicActions,
  walletActions,
  type Account,
  type Address,
  type Chain,
  type Client,
  type PublicActions,
  type Transport,
  type WalletActions,
} from 'viem';
import {
  raftActions,
  validatorActions,
  type RaftActions,
  type ValidatorActions,
} from '../consensus/consensus-actions.js';
import { UnexpectedServiceError } from '../errors/service-errors.js';
import { extensionActions, type ExtensionActions } from '../extension/extension-actions.js';
import { permissionActions, type PermissionActions } from '../permissions/permission-actions.js';
import { privateActions, type PrivateActions } from '../private/private-actions.js';
import { restrictedActions, type RestrictedActions } from '../restricted/restricted-actions.js';
import { findServed, type Served } from './served.js';

export interface CreateTetradClientParameters {
  /** Of a node, or of a signer in front of it. */
  readonly url: string;
  /** Sends where a call names no other. */
  readonly account?: Account | Address | undefined;
  /** In place of HTTP to `url`, for tokens in headers and the like. */
  readonly transport?: Transport | undefined;
  /** Milliseconds between questions while waiting; four seconds by default, as in viem. */
  readonly pollingInterval?: number | undefined;
}

/** A client of viem with the actions of this package, and what is served at its URL. */
export type TetradClient = Client<
  Transport,
  Chain,
  Account | undefined,
  undefined,
  PublicActions<Transport, Chain, Account | undefined> &
    WalletActions<Chain, Account | undefined> &
    PrivateActions &
    RestrictedActions &
    ExtensionActions &
    PermissionActions &
    ValidatorActions &
    RaftActions & { readonly served: Served }
>;

/**
 * A client with all actions, which sends private transactions in the way that the service at the URL takes them.
 *
 * @param parameters - where the service is, and who sends
 * @throws UnexpectedServiceError for the URL of a wallet or of an operator of the rollup
 *
 * @example
 * const client = await createTetradClient({ url: 'http://127.0.0.1:22000' })
 * if (client.served.hasPrivacy) await client.sendPrivateTransaction({ account, data, privateFor: [key] })
 */
export async function createTetradClient({
  url,
  account,
  transport = http(url),
  pollingInterval,
}: CreateTetradClientParameters): Promise<TetradClient> {
  const served = await findServed(createClient({ transport }));
  if (!('chainId' in served)) throw new UnexpectedServiceError({ url, service: served.service });
  const chain = defineChain({
    id: served.chainId,
    name: 'Tetrad',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  });
  const client = createClient({
    chain,
    transport,
    ...(account === undefined ? {} : { account }),
    ...(pollingInterval === undefined ? {} : { pollingInterval }),
  });
  return client
    .extend(publicActions)
    .extend(walletActions)
    .extend(privateActions({ through: served.service }))
    .extend(restrictedActions())
    .extend(extensionActions())
    .extend(permissionActions())
    .extend(validatorActions())
    .extend(raftActions())
    .extend(() => ({ served })) as unknown as TetradClient;
}
