import { rollupOperatorMethods } from '@tetrad/api-rollup-operator';
import { refuseWithoutDatabase } from '@tetrad/db';
import {
  AccountDirectory,
  OperationAcceptance,
  TokenDirectory,
  createCheckPool,
  OrderProofs,
} from '@tetrad/rollup-operations';
import { createDispatcher, createRpcHttpHandler, type Dispatcher } from '@tetrad/rpc';
import { callerOf, rpcLimitsOf, type ServiceEnvironment } from '@tetrad/service';
import type { OperatorConfig } from '../config.js';
import type { OpenRollup } from '../open-rollup.js';
import { accountHandlers } from '../rpc/accounts.js';
import { moneyOrderHandlers } from '../rpc/money-orders.js';
import type { OperatorParts } from '../rpc/operator-parts.js';
import { outboundTransferHandlers } from '../rpc/outbound-transfers.js';
import { redemptionHandlers } from '../rpc/redemptions.js';
import type { RunningRole } from './running-role.js';

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
  const pool = createCheckPool({
    ...{ domain, workers: config.checkWorkers, maxWaiting: config.checkQueue },
  });
  const accounts = new AccountDirectory(store);
  const parts: OperatorParts = {
    ...{ store, pool, accounts, operatorKey: config.operatorKey, proofs: new OrderProofs(store) },
    acceptance: new OperationAcceptance({
      ...{ store, pool, accounts, tokens: new TokenDirectory(store) },
      minOrderAmount: BigInt(config.minOrderAmount),
    }),
  };
  const handle = createRpcHttpHandler({
    dispatcher: dispatcher(config, environment, parts),
    maxBodyBytes: config.rpcMaxBodyBytes,
    rateLimit: config.rpcRateLimit,
    callerOf,
  });
  return {
    handle,
    readiness: {
      async database() {
        await store.readHead();
        return undefined;
      },
    },
    stop: () => pool.close(),
  };
}

function dispatcher(
  config: OperatorConfig,
  { name, logger, metrics, tracing }: ServiceEnvironment,
  parts: OperatorParts,
): Dispatcher {
  const handlers = {
    ...accountHandlers(parts),
    ...moneyOrderHandlers(parts),
    ...redemptionHandlers(parts),
    ...outboundTransferHandlers(parts),
  };
  return createDispatcher({
    service: name,
    methods: rollupOperatorMethods,
    handlers: refuseWithoutDatabase(handlers, logger),
    limits: rpcLimitsOf(config),
    aliases: config.rpcAlias,
    ...{ logger, metrics, tracer: tracing?.tracer },
  });
}
