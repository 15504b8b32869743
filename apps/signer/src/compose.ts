import { signerMethods, signerStandardMethods } from '@tetrad/api-signer';
import { createKeystore, openKeyFile, KeystoreError } from '@tetrad/keystore';
import { createDispatcher, createRpcHttpHandler } from '@tetrad/rpc';
import { callerOf, startService, type RunningService, type ServiceEnvironment } from '@tetrad/service';
import { DownstreamClient } from '@tetrad/signer-downstream';
import { PublicSender } from '@tetrad/signer-transactions';
import { OperatorError } from '@tetrad/types';
import type { SignerConfig } from './config.js';
import { ethHandlers } from './rpc/eth.js';

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
  const sender = new PublicSender({
    chainId: BigInt(config.chainId),
    keystore: createKeystore([key]),
    downstream,
  });
  const dispatcher = createDispatcher({
    service: name,
    methods: { ...signerMethods, ...signerStandardMethods },
    handlers: ethHandlers(sender),
    limits: {
      batch: config.rpcMaxBatch,
      depth: config.rpcMaxDepth,
      requestTimeoutMs: config.rpcRequestTimeout,
    },
    aliases: config.rpcAlias,
    passThrough: (request) => downstream.passThrough(request),
    logger,
    metrics,
  });
  const handle = createRpcHttpHandler({
    dispatcher,
    maxBodyBytes: config.rpcMaxBodyBytes,
    rateLimit: config.rpcRateLimit,
    callerOf,
  });
  return startService({
    ...environment,
    config,
    rpc: { paths: ['/'], handle },
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
  const actual = await downstream.chainId();
  return actual === expected ? undefined : `it has chain id ${actual}, --chain-id is ${expected}`;
}
