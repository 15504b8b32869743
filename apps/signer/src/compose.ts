import { signerMethods, signerStandardMethods } from '@tetrad/api-signer';
import { createKeystore, openKeyFile, KeystoreError } from '@tetrad/keystore';
import { createDispatcher } from '@tetrad/rpc';
import { callerOf, startService, type RunningService, type ServiceEnvironment } from '@tetrad/service';
import { DownstreamClient } from '@tetrad/signer-downstream';
import { TransactionSender } from '@tetrad/signer-transactions';
import { OperatorError } from '@tetrad/types';
import type { SignerConfig } from './config.js';
import { presentError } from './http/present-error.js';
import { createProxyHandler } from './http/proxy-handler.js';
import { signerHandlers } from './rpc/eth.js';

/** Builds the signing proxy and opens its ports. Fails: OperatorError with one line for the operator. */
export async function composeSigner(
  config: SignerConfig,
  environment: ServiceEnvironment,
): Promise<RunningService> {
  const { logger, metrics, name } = environment;
  const url = downstreamUrl(config);
  const key = await openKeyFile(config.keyFile, config.passwordFile.reveal()).catch((error: unknown) => {
    throw error instanceof KeystoreError ? new OperatorError(error.message) : error;
  });
  const downstream = new DownstreamClient({ url, timeoutMs: config.downstreamHttpRequestTimeout });
  const accounts = createKeystore([key]);
  const parts = {
    chainId: BigInt(config.chainId),
    accounts,
    downstream,
    sender: new TransactionSender(accounts),
  };
  const limits = { batch: config.rpcMaxBatch, depth: config.rpcMaxDepth };
  const dispatcher = createDispatcher({
    service: name,
    methods: { ...signerMethods, ...signerStandardMethods },
    handlers: signerHandlers(parts),
    limits: { ...limits, requestTimeoutMs: config.rpcRequestTimeout },
    aliases: config.rpcAlias,
    presentError,
    logger,
    metrics,
  });
  const handle = createProxyHandler({
    dispatcher,
    downstream,
    limits,
    maxBodyBytes: config.rpcMaxBodyBytes,
    rateLimit: config.rpcRateLimit,
    callerOf,
    logger,
  });
  return startService({
    ...environment,
    config,
    rpc: { paths: ['/'], handle },
    otherwise: handle,
    publicRoutes: (app) =>
      app.get('/upcheck', (_request, response) => response.type('text/plain').send("I'm up!")),
    readiness: { downstream: () => checkDownstream(downstream, BigInt(config.chainId)) },
    onStop: () => downstream.close(),
  });
}

function downstreamUrl(config: SignerConfig): URL {
  const { downstreamHttpHost: host, downstreamHttpPort: port, downstreamHttpPath: path } = config;
  if (/[ &?#=]/.test(path)) throw new OperatorError('Illegal characters detected in --downstream-http-path');
  if (port === config.httpListenPort && host === config.httpListenHost && port !== 0) {
    throw new OperatorError('Http host and port must be different to the downstream host and port.');
  }
  return new URL(`http://${host}:${port}/${path.replace(/^\/+/, '')}`);
}

async function checkDownstream(downstream: DownstreamClient, expected: bigint): Promise<string | undefined> {
  const actual = await downstream.onBehalfOf().quantity('eth_chainId', []);
  return actual === expected ? undefined : `it has chain id ${actual}, --chain-id is ${expected}`;
}
