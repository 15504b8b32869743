import { StateFileError, exportState, importState } from '@tetrad/node-state-sync';
import {
  OptionError,
  defineOptions,
  option,
  pathOption,
  reasonOf,
  type ConfigOf,
  type ServiceEnvironment,
} from '@tetrad/service';
import { OperatorError, systemClock } from '@tetrad/types';
import { openPrivateBeginning } from '../joining/begin-private-state.js';
import { openChain, type OpenChain } from '../open/open-chain.js';
import { readGenesis } from '../open/read-genesis.js';
import { nodeOptions, type NodeConfig } from '../options/config.js';
import { statePort } from '../peers/state-port.js';

export const exportOptions = defineOptions({
  ...nodeOptions,
  out: option(pathOption(), { group: 'Chain', description: 'The file that is written.', required: true }),
});

/**
 * Writes headers and the newest state but one to a file, for a node that is not connected.
 * @returns a line of JSON for the operator
 * @throws OperatorError
 */
export function exportStateFile(
  config: ConfigOf<typeof exportOptions>,
  environment: ServiceEnvironment,
): Promise<string> {
  const { logger } = environment;
  return withChain(config, environment, async ({ engine, store, ...chain }) => {
    if (engine.kind === 'raft')
      throw new OperatorError('node export-state: not with raft, whose headers no validators seal');
    const port = statePort({ engine, store, ...chain });
    const parts = { chain: engine, store, port, path: config.out };
    const { signal } = new AbortController();
    return exportState({ ...parts, clock: systemClock, logger, signal });
  });
}

/**
 * Joins from a file that `node export-state` wrote.
 * @returns a line of JSON for the operator
 * @throws OperatorError
 */
export function importStateFile(
  config: NodeConfig,
  environment: ServiceEnvironment,
  [path, ...more]: readonly string[],
): Promise<string> {
  if (path === undefined || more.length > 0)
    throw new OptionError('FILE', 'name one file that node export-state wrote');
  const { logger } = environment;
  const { checkpoint, trustCheckpoint } = config;
  if (trustCheckpoint)
    throw new OptionError('--trust-checkpoint', 'not with a file, whose headers are read from block 1 on');
  return withChain({ ...config, sync: 'state' }, environment, async ({ engine, store, ledger }) => {
    if (engine.kind === 'raft')
      throw new OperatorError('node import-state: not with raft, whose headers no validators seal');
    const begun = await store.stateSync.find();
    if (begun?.joinedBlock !== undefined || ledger.head().header.number > 0)
      throw new OperatorError('node import-state: the database has blocks already');
    const { signal } = new AbortController();
    const beginning = openPrivateBeginning(config, environment, { store: store.privateState, signal });
    const parts = { chain: engine, store, path, checkpoint, onTarget: beginning?.at };
    try {
      return { block: await importState({ ...parts, clock: systemClock, logger, signal }) };
    } finally {
      await beginning?.close();
    }
  });
}

async function withChain(
  config: NodeConfig,
  environment: ServiceEnvironment,
  work: (chain: OpenChain) => Promise<object>,
): Promise<string> {
  const genesis = await readGenesis(config);
  const opened = await openChain(config, environment, genesis);
  try {
    return JSON.stringify(await work(opened.parts));
  } catch (error) {
    const isOfFile = error instanceof StateFileError || (error instanceof Error && 'path' in error);
    throw isOfFile ? new OperatorError(reasonOf(error)) : error;
  } finally {
    await opened.close();
  }
}
