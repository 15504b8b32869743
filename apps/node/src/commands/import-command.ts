import { availableParallelism } from 'node:os';
import { createTransactionDecoder } from '@tetrad/node-execution';
import {
  ChainFile,
  ChainFileError,
  ChainImportError,
  ImportProgress,
  importChainFiles,
  type ImportCounts,
  type Ledger,
} from '@tetrad/node-ledger';
import { GroupedBlocks } from '@tetrad/node-store';
import {
  OptionError,
  defineOptions,
  integerOption,
  option,
  printLine,
  reasonOf,
  type ConfigOf,
  type ServiceEnvironment,
} from '@tetrad/service';
import { OperatorError, systemClock, type Logger } from '@tetrad/types';
import { nodeOptions } from '../options/config.js';
import type { NodeModule } from '../open/node-module.js';
import { openChain, type OpenChain } from '../open/open-chain.js';
import { logGenesis, readGenesis } from '../open/read-genesis.js';

/** Files of one import. */
export const MAX_FILES = 10_000;

/** Bytes of rows that are committed together at most, about: the last group is stored when nothing is left to execute. */
const GROUP_BYTES = 6 * 1024 * 1024;

/** Threads that recover senders; more have nothing to do, since blocks are executed one after the other. */
const MAX_THREADS = 4;

const REPORT_MS = 5_000;

/** A chain whose blocks are stored in groups. */
interface ImportTarget extends NodeModule<OpenChain> {
  readonly groups: GroupedBlocks;
}

export const importOptions = defineOptions({
  ...nodeOptions,
  commitBlocks: option(integerOption({ min: 1, max: 10_000 }), {
    group: 'Chain',
    description:
      'Blocks that are committed together; an import that is killed repeats at most twice as many.',
    default: 256,
  }),
});

export type ImportConfig = ConfigOf<typeof importOptions>;

/**
 * Imports the files into the node's database, and prints a line of JSON at the end.
 * @throws as `importChain`
 */
export async function startImport(
  config: ImportConfig,
  environment: ServiceEnvironment,
  paths: readonly string[],
): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController();
  const work = importChain(config, environment, { paths, signal: stopping.signal });
  void printLine(work);
  return {
    async stop() {
      stopping.abort();
      await work;
    },
  };
}

/**
 * Imports the files into the node's database.
 * @param options.signal - ends the import after the block that is being executed
 * @returns a line of JSON for the operator
 * @throws OperatorError naming the file or the block that is wrong, and how to go on
 */
export async function importChain(
  config: ImportConfig,
  environment: ServiceEnvironment,
  { paths, signal }: { readonly paths: readonly string[]; readonly signal: AbortSignal },
): Promise<string> {
  if (paths.length === 0) throw new OptionError('FILE', 'name at least one file that geth export wrote');
  const files = await findFiles(paths);
  const genesis = await readGenesis(config);
  logGenesis(genesis, environment.logger);
  const target = await openTarget(config, environment, genesis);
  try {
    const { genesisFile } = config;
    return await runImport(target, { files, genesisFile, logger: environment.logger, signal });
  } finally {
    await target.close();
  }
}

/**
 * Looks at all files before anything is opened.
 * @throws OperatorError naming the file
 */
async function findFiles(paths: readonly string[]): Promise<readonly ChainFile[]> {
  const files: ChainFile[] = [];
  for (const path of paths) {
    try {
      files.push(await ChainFile.find(path));
    } catch (error) {
      throw new OperatorError(
        error instanceof ChainFileError ? error.message : `${path}: ${reasonOf(error)}`,
      );
    }
  }
  return files;
}

async function openTarget(
  config: ImportConfig,
  environment: ServiceEnvironment,
  genesis: OpenChain['genesis'],
): Promise<ImportTarget> {
  let groups: GroupedBlocks | undefined;
  // Without permission contracts: what the network has agreed on is executed as it is.
  const opened = await openChain(config, environment, genesis, undefined, (store) => {
    groups = new GroupedBlocks(store, { blocks: config.commitBlocks, bytes: GROUP_BYTES });
    return groups.over(store);
  });
  if (groups === undefined) throw new TypeError('the chain was opened without its store');
  return { ...opened, groups };
}

interface Work {
  /** Path of the genesis file. */
  readonly genesisFile: string;
  readonly files: readonly ChainFile[];
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** @returns a line of JSON for the operator */
async function runImport(target: ImportTarget, work: Work): Promise<string> {
  const { ledger, genesis, engine } = target.parts;
  const { logger, files, signal } = work;
  const workers = Math.min(MAX_THREADS, availableParallelism());
  const decoder = createTransactionDecoder({ chainId: genesis.chainId, workers, logger });
  const reports = startReports(ledger, work);
  try {
    const counts = await importChainFiles({
      ledger,
      files,
      signal,
      hashHeader: (header) => ledger.rules.hashHeader(header),
      decodeAll: (raws) => decoder.decodeAll(raws),
      // A raft block has one seal, of whatever key it names.
      confirmsByNext: engine.kind === 'raft',
      onBlock: reports.onBlock,
    });
    await target.groups.flush();
    return describe(ledger, counts, !signal.aborted);
  } catch (error) {
    throw await explain(error, target, work.genesisFile);
  } finally {
    reports.stop();
    await decoder.close();
  }
}

/** Logs how the import proceeds, from time to time. */
function startReports(ledger: Ledger, { files, logger }: Work) {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const bytes = () => files.reduce((sum, { bytesDone }) => sum + bytesDone, 0);
  let counts: ImportCounts = {
    blockNumber: ledger.head().header.number,
    imported: 0,
    transactions: 0,
    known: 0,
  };
  const now = () => ({ ms: systemClock.now(), bytes: bytes(), counts });
  const progress = new ImportProgress(total, now());
  logger.info('importing', { files: files.length, bytes: total, head: counts.blockNumber });
  const timer = setInterval(() => logger.info('imported', { ...progress.report(now()) }), REPORT_MS);
  return {
    onBlock: (next: ImportCounts) => void (counts = next),
    stop: () => clearInterval(timer),
  };
}

function describe(ledger: Ledger, counts: ImportCounts, isComplete: boolean): string {
  const { hash, header } = ledger.head();
  const { imported, known, transactions } = counts;
  const { number: block, stateRoot } = header;
  return JSON.stringify({ complete: isComplete, block, hash, stateRoot, imported, known, transactions });
}

/**
 * Stores the blocks before the fault.
 * @returns the error for the operator
 */
async function explain(
  error: unknown,
  { groups, parts }: ImportTarget,
  genesisFile: string,
): Promise<unknown> {
  if (!(error instanceof ChainImportError || error instanceof ChainFileError)) return error;
  await groups.flush();
  const { number } = parts.ledger.head().header;
  // Block 0 does not depend on most of the rules in the file, so that this block may be the first to show a wrong one.
  const breaksRule = error instanceof ChainImportError && error.breaksRule;
  const doubt = breaksRule
    ? ` by the rules that the genesis file ${genesisFile} has for it (forks, transitions, times, rewards)`
    : '';
  const remedy = breaksRule ? 'with the genesis file that the network had at this block, or ' : '';
  return new OperatorError(
    `${error.message}${doubt}. The blocks up to ${number} are stored and stay. To go on, run the command again ` +
      `${remedy}with files that hold block ${number + 1} as the network made it; stored blocks are skipped.`,
    { cause: error },
  );
}
