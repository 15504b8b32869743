import { join } from 'node:path';
import { addressFromPrivateKey, publicKeyFromPrivateKey } from '@tetrad/crypto';
import { refuseWithoutDatabase } from '@tetrad/db';
import { createKeystore, openKeystoreFolder, type Keystore } from '@tetrad/keystore';
import { openTransactionPool, type TransactionPool } from '@tetrad/node-ledger';
import { AsyncSender, TransactionSender } from '@tetrad/node-transactions';
import { createDispatcher, createRpcHttpHandler, createRpcWebSocket } from '@tetrad/rpc';
import {
  callerOf,
  createCallbackSender,
  rpcLimitsOf,
  startService,
  type RunningService,
  type ServiceEnvironment,
} from '@tetrad/service';
import { OperatorError, systemClock } from '@tetrad/types';
import type { NodeConfig } from './config.js';
import { openDatabase } from './database.js';
import { methods, nodeHandlers } from './handlers.js';
import { readNodeKey } from './node-key.js';
import { asOperatorError, openChain, type OpenChain } from './open-chain.js';
import { joinNetwork, type NodeNetwork } from './peers/node-network.js';
import { Simulator } from './rpc/execution.js';
import type { NodeIdentity, NodeParts } from './rpc/node-parts.js';

/** Builds a node and opens its ports. Fails: OperatorError with one line for the operator. */
export async function composeNode(
  config: NodeConfig,
  environment: ServiceEnvironment,
): Promise<RunningService> {
  const { logger, metrics } = environment;
  const keystore = await openAccounts(config).catch(asOperatorError);
  const opened = await openDatabase(config, logger);
  // What has to be let go of, newest first: when the node stops, and when it cannot start after all.
  const closers: (() => Promise<unknown>)[] = [() => opened.close()];
  const close = async () => {
    for (const closer of closers) await closer();
  };
  try {
    const nodeKey = await readNodeKey(
      config.nodeKeyFile ?? join(config.dataDir, 'nodekey'),
      config.nodeKeyFile === undefined,
    );
    const chain = await openChain(config, { database: opened.database, logger, metrics });
    closers.unshift(() => chain.store.close());
    const pool = await openTransactionPool({ ...chain, logger, metrics, limits: poolLimits(config) });
    const identity = identityOf(config, { nodeKey, version: environment.version });
    const { clientVersion } = identity;
    const network = await joinNetwork(config, environment, { ...chain, pool, nodeKey, clientVersion });
    closers.unshift(() => network.stop());
    const parts = buildParts(config, environment, { chain, pool, network, keystore, identity });
    closers.unshift(() => parts.asyncSender.drain());
    const isDatabaseReady = async () => {
      await opened.database.pool.query('SELECT 1');
      return undefined;
    };
    return await serve(config, environment, { parts, isDatabaseReady, trouble: network.trouble, close });
  } catch (error) {
    await close();
    throw error;
  }
}

/** Runs the stored chain again and says whether it is what it claims. Fails: with the first block that is not. */
export async function verifyNode(config: NodeConfig, { logger, metrics }: ServiceEnvironment): Promise<void> {
  const opened = await openDatabase(config, logger);
  try {
    const { ledger, store } = await openChain(config, { database: opened.database, logger, metrics });
    try {
      let verified = 0;
      const blocks = await ledger
        .verifyFromGenesis((number) => (verified = number))
        .catch((error: unknown) => asOperatorError(error, `block ${verified + 1}: `));
      const { hash, header } = ledger.head();
      process.stdout.write(
        `${JSON.stringify({ verified: true, blocks, head: hash, stateRoot: header.stateRoot })}\n`,
      );
    } finally {
      // Closing the database waits for every connection, so the store's must be let go of first.
      await store.close();
    }
  } finally {
    await opened.close();
  }
}

async function openAccounts(config: NodeConfig): Promise<Keystore> {
  if (config.keystoreDir === undefined) return createKeystore([]);
  if (config.keystorePasswordFile === undefined) {
    throw new OperatorError('--keystore-password-file is needed with --keystore-dir');
  }
  return openKeystoreFolder(config.keystoreDir, config.keystorePasswordFile.reveal());
}

function poolLimits(config: NodeConfig) {
  return {
    total: config.poolMaxTransactions,
    perAccount: config.poolMaxPerAccount,
    transactionBytes: config.poolMaxTransactionBytes,
    minimumGasPrice: 0n,
  };
}

function buildParts(
  config: NodeConfig,
  { logger }: ServiceEnvironment,
  built: {
    chain: OpenChain;
    pool: TransactionPool;
    network: NodeNetwork;
    keystore: Keystore;
    identity: NodeIdentity;
  },
): NodeParts {
  const { chain, pool, network, keystore, identity } = built;
  const sender = new TransactionSender({
    chainId: chain.genesis.chainId,
    keystore,
    pool,
    estimateGas: (request) => new Simulator(parts).estimate(request, { reference: 'pending' }),
  });
  const parts: NodeParts = {
    ledger: chain.ledger,
    candidates: chain.candidates,
    pool,
    peers: network.peers,
    consensus: network.consensus,
    sender,
    asyncSender: new AsyncSender({
      sender,
      callbacks: createCallbackSender({ allowPrivate: config.callbackAllowPrivate }),
      limit: config.rpcMaxAsyncSends,
      logger,
    }),
    identity,
    limits: {
      callGas: BigInt(config.rpcGasCap),
      logs: config.rpcMaxLogs,
      logBlocks: config.rpcMaxLogBlocks,
      filters: config.rpcMaxFilters,
      filterExpiryMs: config.rpcFilterExpiry,
      subscriptionsPerConnection: config.rpcMaxSubscriptions,
      traceSteps: 1_000_000,
      dumpSlots: config.rpcMaxDumpSlots,
    },
    clock: systemClock,
    logger,
  };
  return parts;
}

function identityOf(
  config: NodeConfig,
  { nodeKey, version }: { nodeKey: Uint8Array; version: string },
): NodeIdentity {
  const platform = `${process.platform}-${process.arch}`;
  return {
    clientVersion: `Tetrad/v${version}/${platform}/node${process.versions.node}`,
    address: addressFromPrivateKey(nodeKey),
    nodeId: Buffer.from(publicKeyFromPrivateKey(nodeKey)).toString('hex'),
    modules: config.httpApi,
  };
}

function serve(
  config: NodeConfig,
  environment: ServiceEnvironment,
  {
    parts,
    isDatabaseReady,
    trouble,
    close,
  }: {
    parts: NodeParts;
    isDatabaseReady: () => Promise<undefined>;
    trouble: () => string | undefined;
    close: () => Promise<void>;
  },
): Promise<RunningService> {
  const { logger, metrics } = environment;
  const dispatcher = createDispatcher({
    service: environment.name,
    methods,
    handlers: refuseWithoutDatabase(nodeHandlers(parts), logger),
    exposed: config.httpApi,
    limits: rpcLimitsOf(config),
    aliases: config.rpcAlias,
    logger,
    metrics,
  });
  const transport = { dispatcher, maxBodyBytes: config.rpcMaxBodyBytes, callerOf };
  const webSocket = createRpcWebSocket({ ...transport, logger, rateLimit: config.rpcRateLimit });
  return startService({
    ...environment,
    config,
    rpc: { paths: ['/'], handle: createRpcHttpHandler({ ...transport, rateLimit: config.rpcRateLimit }) },
    webSocket: (request, socket, head) => webSocket.handleUpgrade(request, socket, head),
    readiness: {
      database: isDatabaseReady,
      consensus: () => parts.consensus?.trouble(),
      peers: () => trouble(),
    },
    onDrain: () => webSocket.close(),
    onStop: close,
  });
}
