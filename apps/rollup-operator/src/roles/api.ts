import { rollupHolderMethods, rollupNoticeMethods, rollupQueueMethods } from '@tetrad/api-rollup-operator';
import { refuseWithoutDatabase, writeProblem } from '@tetrad/db';
import { FAILURE_PAUSE_MS, POLL_MS, WorkLoop } from '@tetrad/rollup-batcher';
import {
  AccountDirectory,
  FinalNews,
  OperationAcceptance,
  ProgressNews,
  QueuePace,
  Refusals,
  Subscriptions,
  TokenDirectory,
  createCheckPool,
  OrderProofs,
} from '@tetrad/rollup-operations';
import { createDispatcher, createRpcHttpHandler, createRpcWebSocket, type Dispatcher } from '@tetrad/rpc';
import { callerOf, rpcLimitsOf, type ServiceEnvironment } from '@tetrad/service';
import { systemClock } from '@tetrad/types';
import type { OperatorConfig } from '../config.js';
import type { OpenRollup } from '../open-rollup.js';
import { accountHandlers } from '../rpc/accounts.js';
import { accessReader, bindToAccounts } from '../rpc/bind-to-accounts.js';
import { consentHandlers } from '../rpc/consents.js';
import { moneyOrderHandlers } from '../rpc/money-orders.js';
import { noticeHandlers, type NoticeParts } from '../rpc/notices.js';
import type { OperatorParts } from '../rpc/operator-parts.js';
import { outboundTransferHandlers } from '../rpc/outbound-transfers.js';
import { queueHandlers } from '../rpc/queue.js';
import { redemptionHandlers } from '../rpc/redemptions.js';
import type { RunningRole } from './running-role.js';

/** WebSockets at a time: no organization takes all of them. */
const CONNECTIONS = { total: 1_000, ofSubject: 100 };
/** Each batch is looked through once for all of them. */
const SUBSCRIPTIONS = { perConnection: 1_000, total: 100_000 };

/** Answers calls: accepts operations and finds what became of them. */
export async function apiRole({
  config,
  environment,
  rollup,
}: {
  readonly config: OperatorConfig;
  readonly environment: ServiceEnvironment;
  readonly rollup: OpenRollup;
}): Promise<RunningRole> {
  const { store, domain } = rollup;
  warnWithoutTokens(config, environment);
  const pool = createCheckPool({ domain, workers: config.checkWorkers, maxWaiting: config.checkQueue });
  const parts = operatorParts(config, rollup, pool);
  const [news, progress] = [new FinalNews(store), new ProgressNews(store)];
  const notices = { ...parts, news, progress, subscriptions: new Subscriptions(SUBSCRIPTIONS) };
  const transport = {
    dispatcher: dispatcher(config, environment, notices),
    maxBodyBytes: config.rpcMaxBodyBytes,
    rateLimit: config.rpcRateLimit,
    callerOf,
  };
  const watching = startWatching([news, progress], environment);
  return {
    handle: createRpcHttpHandler(transport),
    webSocket: createRpcWebSocket({
      ...transport,
      logger: environment.logger,
      maxConnections: CONNECTIONS.total,
      maxConnectionsOfSubject: CONNECTIONS.ofSubject,
    }),
    readiness: {
      async database() {
        await store.readHead();
        return writeProblem(rollup.database);
      },
    },
    async stop() {
      await Promise.all(watching.map((loop) => loop.stop()));
      await pool.close();
    },
  };
}

function operatorParts(
  config: OperatorConfig,
  { store, domain }: OpenRollup,
  pool: OperatorParts['pool'],
): OperatorParts {
  const accounts = new AccountDirectory(store);
  const refusals = new Refusals(new QueuePace(store, systemClock));
  return {
    store,
    pool,
    accounts,
    refusals,
    domain,
    operatorKey: config.operatorKey,
    proofs: new OrderProofs(store),
    accessOf: accessReader(config.authJwtAccountsClaim),
    acceptance: new OperationAcceptance({
      store,
      pool,
      accounts,
      refusals,
      tokens: new TokenDirectory(store),
      minOrderAmount: BigInt(config.minOrderAmount),
      minTransferAmount: BigInt(config.minTransferAmount),
    }),
  };
}

function startWatching(
  news: readonly { step(): Promise<boolean> }[],
  { logger }: Pick<ServiceEnvironment, 'logger'>,
): WorkLoop[] {
  const options = {
    name: 'notices',
    clock: systemClock,
    logger,
    pollMs: POLL_MS,
    failureMs: FAILURE_PAUSE_MS,
  };
  const loops = news.map((one) => new WorkLoop(options, () => one.step()));
  for (const loop of loops) loop.start();
  return loops;
}

/** Balances and payments are secrets between an account holder and the operator. */
function warnWithoutTokens(
  { authJwtKeyFile, authJwtJwksUrl }: OperatorConfig,
  { logger }: Pick<ServiceEnvironment, 'logger'>,
): void {
  if (authJwtKeyFile !== undefined || authJwtJwksUrl !== undefined) return;
  logger.warn('no tokens are required: every caller reads every account, its balances and its payments', {
    option: '--auth-jwt-key-file',
  });
}

function dispatcher(
  config: OperatorConfig,
  { name, logger, metrics, tracing }: ServiceEnvironment,
  parts: OperatorParts & NoticeParts,
): Dispatcher {
  const handlers = {
    ...accountHandlers(parts),
    ...moneyOrderHandlers(parts),
    ...redemptionHandlers(parts),
    ...outboundTransferHandlers(parts),
    ...consentHandlers(parts),
  };
  const bound = {
    ...bindToAccounts(handlers, parts.accessOf),
    ...noticeHandlers(parts),
    ...queueHandlers(parts),
  };
  return createDispatcher({
    service: name,
    methods: { ...rollupHolderMethods, ...rollupNoticeMethods, ...rollupQueueMethods },
    handlers: refuseWithoutDatabase(bound, logger),
    limits: rpcLimitsOf(config),
    aliases: config.rpcAlias,
    logger,
    metrics,
    tracer: tracing?.tracer,
  });
}
