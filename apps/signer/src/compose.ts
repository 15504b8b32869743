import { databaseProblem } from '@tetrad/db';
import {
  assertCanServe,
  startService,
  type ListenAddress,
  type ReadinessChecks,
  type ReadinessReason,
  type RunningService,
  type ServiceEnvironment,
} from '@tetrad/service';
import { chainProblem, watchChainId, type ChainAnswerer } from '@tetrad/signer-downstream';
import { SigningKeys, type KeySourceSettings } from '@tetrad/signer-keys';
import { heldAccounts, measuredAccounts } from '@tetrad/signer-transactions';
import { systemClock } from '@tetrad/types';
import type { SignerConfig } from './config.js';
import { createProxy } from './create-proxy.js';
import { ETHSIGNER, type Emulation } from './emulation.js';
import { allowedHosts } from './http/allowed-hosts.js';
import { corsRule } from './http/cors-rule.js';
import { startMetricsListener, type MetricsListener } from './http/metrics-listener.js';
import { writePortsFile } from './http/ports-file.js';
import { healthRoutes, reloadRoutes } from './http/routes.js';
import { measureChain } from './measure-signing.js';
import { keySources } from './key-sources.js';
import { openDownstream } from './open-downstream.js';
import { openSigning } from './open-signing.js';
import { filledGas } from './rpc/filled-gas.js';
import { serverTls } from './tls/server-tls.js';

const MAX_KEY_WAIT_MS = 20_000;

type Closers = (() => Promise<unknown> | void)[];

/**
 * Builds the signing proxy and opens its ports.
 * @throws OperatorError with one line for the operator
 */
export async function composeSigner(
  config: SignerConfig,
  environment: ServiceEnvironment,
  emulation: Emulation = ETHSIGNER,
): Promise<RunningService> {
  // What can be wrong with the options comes first: it costs nothing.
  const access = { cors: corsRule(config.httpCorsOrigins), tls: serverTls(config) };
  const hostAllowlist = allowedHosts(config.httpHostAllowlist, '--http-host-allowlist');
  await assertCanServe(config, { tls: access.tls, ports: metricsPorts(config) });
  const sources = keySources(config, emulation);
  const authenticates = config.authJwtKeyFile !== undefined || config.authJwtJwksUrl !== undefined;
  const downstream = openDownstream(config, environment, { authenticates });
  // Resources to close, newest first: when the proxy stops, and when its start fails.
  const closers: Closers = [() => downstream.close()];
  const close = async () => {
    for (const closer of closers.splice(0)) await closer();
  };
  try {
    const opened = await openAll(config, environment, { sources, downstream, closers });
    const { keys, metricsListener } = opened;
    const service = await startService({
      ...environment,
      ...access,
      accessFlags: { hosts: '--http-host-allowlist', origins: '--http-cors-origins' },
      config: { ...config, corsOrigins: [], hostAllowlist },
      ...proxyOf(config, environment, { ...opened, downstream, emulation }),
      publicRoutes: healthRoutes(keys, emulation),
      routes: reloadRoutes(keys),
      readiness: readinessChecks(config, downstream, opened),
      onStop: close,
    });
    const chainId = BigInt(config.chainId);
    measureChain({ downstream, chainId }, environment.metrics);
    closers.unshift(watchChainId(chainId, { downstream, clock: systemClock, logger: environment.logger }));
    await announcePorts(config, emulation, { service, metricsListener, closers });
    return service;
  } catch (error) {
    await close();
    throw error;
  }
}

/** What the proxy serves with. */
interface Opened {
  readonly keys: SigningKeys;
  /** Absent without a port of metrics. */
  readonly metricsListener: MetricsListener | undefined;
  readonly accounts: ReturnType<typeof measuredAccounts>;
  readonly signing: Awaited<ReturnType<typeof openSigning>>;
}

/** Opens one after the other; `closers` has each that is open when a later one fails. */
async function openAll(
  config: SignerConfig,
  environment: ServiceEnvironment,
  {
    sources,
    downstream,
    closers,
  }: {
    readonly sources: readonly KeySourceSettings[];
    readonly downstream: ReturnType<typeof openDownstream>;
    readonly closers: Closers;
  },
): Promise<Opened> {
  const keys = await openKeys(sources, environment);
  closers.unshift(() => keys.close());
  const metricsListener = await openMetrics(config, environment);
  if (metricsListener !== undefined) closers.unshift(() => metricsListener.stop());
  const accounts = measuredAccounts(
    heldAccounts(keys, { waitMs: keyWaitMs(config), clock: systemClock }),
    environment.metrics,
  );
  const signing = await openSigning(config, environment, { accounts, downstream });
  closers.unshift(() => signing.close());
  return { keys, metricsListener, accounts, signing };
}

function proxyOf(
  config: SignerConfig,
  environment: ServiceEnvironment,
  { keys, accounts, signing, downstream, emulation }: ProxyParts,
): ReturnType<typeof createProxy> {
  return createProxy(config, environment, {
    accounts,
    downstream,
    signer: signing.signer,
    store: signing.store,
    filledGas: filledGas(config.estimateGas, environment.logger),
    publicKeys: () => keys.publicKeys(),
    emulation,
  });
}

interface ProxyParts extends Pick<Opened, 'keys' | 'accounts' | 'signing'> {
  readonly downstream: ReturnType<typeof openDownstream>;
  readonly emulation: Emulation;
}

function readinessChecks(
  { chainId }: Pick<SignerConfig, 'chainId'>,
  downstream: ChainAnswerer,
  { keys, signing }: Pick<Opened, 'keys' | 'signing'>,
): ReadinessChecks {
  return {
    database: () => databaseProblem(signing.database),
    downstream: { class: 'rollout', check: () => checkChain(downstream, BigInt(chainId)) },
    keys: () => keys.notReady(),
    // Other keys are served; a new replica that cannot reach its HSM must not let the next one be stopped.
    unavailableKeys: { class: 'rollout', check: () => keys.unavailable() },
    nonces: { class: 'operators', check: () => signing.nonceDoubts() },
  };
}

function metricsPorts({
  metricsEnabled,
  metricsHost: host,
  metricsPort: port,
}: SignerConfig): ListenAddress[] {
  return metricsEnabled ? [{ host, port, portOption: '--metrics-port' }] : [];
}

/** Longest wait for a key that is being loaded: the caller gets an answer before the request times out. */
function keyWaitMs({ rpcRequestTimeout }: SignerConfig): number {
  return Math.min(MAX_KEY_WAIT_MS, rpcRequestTimeout / 2);
}

/** Opens the keys, and counts them under web3signer's name for it. */
async function openKeys(
  sources: readonly KeySourceSettings[],
  { logger, metrics }: ServiceEnvironment,
): Promise<SigningKeys> {
  const loaded = metrics.gauge('signing_signers_loaded_count', 'Keys that are loaded');
  loaded.set(0);
  const unavailable = metrics.gauge(
    'signer_keys_unavailable',
    'Keys that cannot sign at present because of their HSM, key service or vault',
  );
  const count = () => loaded.set(keys.list().length);
  const keys: SigningKeys = await SigningKeys.open(
    { sources },
    { logger, clock: systemClock, variables: process.env, onChange: count },
  );
  metrics.onScrape(() => unavailable.set(keys.countUnavailable()));
  void keys.whenLoaded().then(count, () => undefined);
  return keys;
}

async function openMetrics(
  config: SignerConfig,
  { metrics }: ServiceEnvironment,
): Promise<MetricsListener | undefined> {
  if (!config.metricsEnabled) return undefined;
  return startMetricsListener(metrics, {
    host: config.metricsHost,
    port: config.metricsPort,
    categories: config.metricsCategory,
    hosts: allowedHosts(config.metricsHostAllowlist, '--metrics-host-allowlist'),
  });
}

async function announcePorts(
  { dataPath }: SignerConfig,
  { portsFile }: Emulation,
  started: {
    readonly service: RunningService;
    readonly metricsListener: MetricsListener | undefined;
    readonly closers: Closers;
  },
): Promise<void> {
  if (dataPath === undefined) return;
  const { service, metricsListener, closers } = started;
  try {
    const http = Number(new URL(service.url).port);
    closers.unshift(await writePortsFile(dataPath, portsFile, { http, metrics: metricsListener?.port }));
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/**
 * All replicas lose the client together: what needs none is still answered, the rest by its name. A client of another
 * chain belongs to this one.
 * @throws when the client does not answer
 */
async function checkChain(downstream: ChainAnswerer, chainId: bigint): Promise<ReadinessReason | undefined> {
  const problem = await chainProblem(downstream, chainId);
  return problem === undefined ? undefined : { class: 'clients', reason: problem };
}
