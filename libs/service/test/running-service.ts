import { silentLogger } from '@tetrad/types';
import {
  callerOf,
  createMetrics,
  loadConfig,
  parseCommandLine,
  serviceOptions,
  startService,
  type RunningService,
  type ServiceDefinition,
} from '../src/index.js';

const options = serviceOptions({ httpListenPort: 0, opsListenPort: 0 });
const running: RunningService[] = [];

/** A real service on free ports whose JSON-RPC path answers who called which method. */
export async function startTestService(
  flags: readonly string[] = [],
  parts: Partial<ServiceDefinition> = {},
): Promise<RunningService> {
  const config = loadConfig({
    service: 'test',
    options,
    commandLine: parseCommandLine(flags, options),
    environment: {},
  });
  const service = await startService({
    name: 'test',
    version: '1.2.3',
    config,
    logger: silentLogger,
    metrics: createMetrics({ service: 'test', version: '1.2.3' }),
    rpc: {
      paths: ['/'],
      handle(request, response) {
        const caller = callerOf(request);
        const may = ['eth_call', 'eth_sendTransaction', 'debug_dump'].filter((method) => caller.may(method));
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify({ subject: caller.subject ?? null, may }));
      },
    },
    ...parts,
  });
  running.push(service);
  return service;
}

/** For `afterAll`. */
export async function stopTestServices(): Promise<void> {
  for (const service of running.splice(0)) await service.stop();
}
