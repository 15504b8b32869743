import { walletMethods } from '@tetrad/api-wallet';
import { refuseWithoutDatabase, writeProblem } from '@tetrad/db';
import { createDispatcher } from '@tetrad/rpc';
import {
  assertCanServe,
  rpcLimitsOf,
  startService,
  type RunningService,
  type ServiceEnvironment,
} from '@tetrad/service';
import {
  ETH_CHAIN_ID,
  AddressList,
  WalletSigner,
  type RemoteCoinKeys,
  type SigningPolicy,
} from '@tetrad/wallet-signing';
import { createSigningPool, type SigningPool } from '@tetrad/wallet-key';
import type { PolicyConfig, StorageConfig, WalletConfig } from './config.js';
import { openRemoteKeys, warnOfUnusedKeys } from './open-remote-keys.js';
import { openWallet, type OpenWallet } from './open-wallet.js';
import { coinHandlers } from './rpc/coin.js';
import { openTransports, type Transports } from './rpc/transports.js';
import { readTokenSecret } from './token-secret.js';

/**
 * Builds a wallet and opens its ports.
 * @throws OperatorError with one line for the operator
 */
export async function composeWallet(
  config: WalletConfig,
  environment: ServiceEnvironment,
): Promise<RunningService> {
  const authentication = authenticationOf(config);
  await assertCanServe(config, { authentication });
  const { logger, metrics } = environment;
  const remote = await openRemoteKeys(config, logger);
  const wallet = await openWallet(config, logger, { share: false, metrics }).catch((error: unknown) => {
    remote.close();
    throw error;
  });
  const pool = createSigningPool({ workers: config.signingWorkers });
  const { rpc, webSocket } = transports(config, environment, { wallet, remote, pool });
  const close = async () => {
    webSocket.close();
    await pool.close();
    remote.close();
    await wallet.close();
  };
  try {
    await warnOfUnusedKeys(remote, wallet.store, { network: config.network, logger });
    return await startService({
      ...environment,
      config,
      rpc,
      webSocket: webSocket.handleUpgrade,
      publicRoutes: (app) =>
        app.get('/upcheck', (_request, response) => response.type('text/plain').send('OK')),
      authentication,
      readiness: {
        database: () => isReady(wallet),
        // Other keys sign; a new wallet that cannot reach its HSM must not let the next one be stopped.
        unavailableKeys: { class: 'rollout', check: () => remote.unavailable() },
      },
      onDrain: () => webSocket.close(),
      onStop: close,
    });
  } catch (error) {
    await close();
    throw error;
  }
}

/** As on the coin network's node: callers without a token may verify. */
function authenticationOf({ authTokenSecretFile: file }: Pick<WalletConfig, 'authTokenSecretFile'>) {
  const sharedSecret = file === undefined ? undefined : readTokenSecret(file);
  return { sharedSecret, anonymousPermissions: ['read'] };
}

/** What the options let be signed. */
export function signingPolicy(config: PolicyConfig & Pick<StorageConfig, 'network'>): SigningPolicy {
  const { network, delegatedChainId, allowBlindSign, requireMessageMeta } = config;
  return {
    network,
    delegatedChainId: delegatedChainId === undefined ? ETH_CHAIN_ID[network] : BigInt(delegatedChainId),
    allowBlindSign,
    requireMessageMeta,
    strictMessages: config.strictMessages,
    uncheckedMessages: config.uncheckedMessages,
  };
}

function transports(
  config: WalletConfig,
  { name, logger, metrics, tracing }: ServiceEnvironment,
  { wallet, remote, pool }: { wallet: OpenWallet; remote: RemoteCoinKeys; pool: SigningPool },
): Transports {
  const { store, sealer } = wallet;
  const { network } = config;
  const handlers = coinHandlers({
    store,
    remote,
    addresses: new AddressList(store, network, remote.addresses),
    signer: new WalletSigner({ store, sealer, pool, remote, policy: signingPolicy(config), metrics, logger }),
    pool,
    network,
  });
  const dispatcher = createDispatcher({
    service: name,
    methods: walletMethods,
    handlers: refuseWithoutDatabase(handlers, logger),
    limits: rpcLimitsOf(config),
    aliases: config.rpcAlias,
    logger,
    metrics,
    tracer: tracing?.tracer,
  });
  return openTransports(config, { dispatcher, logger });
}

async function isReady({ database, store, sealer }: OpenWallet): Promise<string | undefined> {
  const stored = await store.findSealingParameters();
  if (stored === undefined) return 'the wallet was removed';
  return stored.generation === sealer.generation
    ? writeProblem(database)
    : 'the passphrase was changed: restart the wallet';
}
