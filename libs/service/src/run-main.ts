import { describeFileError } from '@tetrad/files';
import { OperatorError, type Logger } from '@tetrad/types';
import { parseCommandLine } from './command-line.js';
import type { ConfigFileReader } from './config-file.js';
import type { ConfigOf, OptionTable } from './define-options.js';
import { fetchSecrets } from './fetch-secrets.js';
import { cautionsOf, loadConfig } from './load-config.js';
import { createLogger, type LogThreshold } from './logger.js';
import { createMetrics, type ServiceMetrics } from './metrics.js';
import { formatHelp } from './option-help.js';
import { OptionError } from './startup-error.js';
import type { RequestTracing } from './tracing/request-tracing.js';
import { startTracing } from './tracing/start-tracing.js';
import { tracingSettings } from './tracing/tracing-options.js';

/** The environment from which a service is built, in addition to its configuration. */
export interface ServiceEnvironment {
  readonly name: string;
  readonly version: string;
  readonly logger: Logger;
  readonly metrics: ServiceMetrics;
  readonly tracing: RequestTracing | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface MainDefinition<Table extends OptionTable> {
  /** `node`, `signer`, …: part of variable names, log lines and messages. */
  readonly name: string;
  readonly version: string;
  /** A sentence about the service, for `--help`. */
  readonly description: string;
  readonly options: Table;
  /** Options of other commands of the program, whose variables may be set as well: a container sets those of the service. */
  readonly otherOptions?: OptionTable | undefined;
  /**
   * Translates command lines of another program into our options.
   * @throws OptionError
   */
  readonly translateArguments?: (argv: readonly string[]) => readonly string[];
  /** The same for environment variables. */
  readonly translateEnvironment?: (environment: Environment) => Environment;
  /** Reads the configuration file; TOML when absent. */
  readonly readConfigFile?: ConfigFileReader | undefined;
  /** Usage line of the help, after `tetrad`; the name and its options when absent. */
  readonly usage?: string;
  /** The command line without the program; that of the process when absent. */
  readonly argv?: readonly string[];
  /** The maximum number of arguments without a flag; 0 when absent. */
  readonly maxWords?: number;
  /**
   * Builds and starts the service.
   * @param words - the arguments without a flag
   * @throws OperatorError with one line for the operator
   */
  start(
    config: ConfigOf<Table>,
    environment: ServiceEnvironment,
    words: readonly string[],
  ): Promise<{ stop(): Promise<void> }>;
}

/** Exit codes, for supervisors and scripts. */
const EXIT = { cannotStart: 1, badOptions: 2, failed: 70 } as const;

/** Beyond the service's own shutdown time; after it the process ends in any case. */
const STOP_GRACE_MS = 1_000;
const DEFAULT_STOP_MS = 10_000;

/**
 * The life of a service's process: reads the configuration, starts, runs until SIGTERM or SIGINT, stops in order.
 * A second signal ends it at once. Never returns to its caller with work left: the exit code reports the outcome.
 */
export async function runMain<const Table extends OptionTable>(
  definition: MainDefinition<Table>,
): Promise<void> {
  let logger: Logger | undefined;
  try {
    const given = definition.argv ?? process.argv.slice(2);
    const argv = definition.translateArguments?.(given) ?? given;
    const { maxWords = 0 } = definition;
    const commandLine = parseCommandLine(argv, definition.options, { maxWords });
    if (commandLine.wants === 'help') return void process.stdout.write(formatHelp(definition));
    if (commandLine.wants === 'version') return void process.stdout.write(`${definition.version}\n`);
    const written = loadConfig({
      service: definition.name,
      options: definition.options,
      otherOptions: definition.otherOptions,
      commandLine,
      environment: definition.translateEnvironment?.(process.env) ?? process.env,
      readConfigFile: definition.readConfigFile,
    });
    const config = await fetchSecrets(written, process.env);
    const environment = await createEnvironment(definition, config);
    logger = environment.logger;
    for (const caution of cautionsOf(definition.options, config))
      logger.warn('file of a secret', { caution });
    endOnFaults(definition.name, logger);
    const signalled = installSignals(logger);
    const starting = definition.start(config, environment, commandLine.words);
    await Promise.race([starting, signalled]);
    await signalled;
    await stopInTime(starting, stopTimeMs(config));
    process.exit(0);
  } catch (error) {
    reportAndExit(definition.name, error, logger);
  }
}

async function createEnvironment(
  { name, version }: { name: string; version: string },
  config: Readonly<Record<string, unknown>>,
): Promise<ServiceEnvironment> {
  const level = (config['logLevel'] ?? 'info') as LogThreshold;
  const logger = createLogger({ service: name, level });
  const metrics = createMetrics({ service: name, version });
  const settings = tracingSettings(config, process.env);
  const serviceName = process.env['OTEL_SERVICE_NAME'];
  const tracing = await startTracing({ service: name, version, logger, metrics, settings, serviceName });
  return { name, version, logger, metrics, tracing };
}

function stopTimeMs(config: Readonly<Record<string, unknown>>): number {
  const configured = config['shutdownTimeout'];
  return (typeof configured === 'number' ? configured : DEFAULT_STOP_MS) + STOP_GRACE_MS;
}

/** Resolves at the first signal; the second one kills, with the code that shells give for it. */
function installSignals(logger: Logger): Promise<void> {
  return new Promise((done) => {
    let count = 0;
    for (const [signal, number] of [
      ['SIGTERM', 15],
      ['SIGINT', 2],
    ] as const) {
      process.on(signal, () => {
        count += 1;
        if (count > 1) process.exit(128 + number);
        logger.info('stop requested', { signal });
        done();
      });
    }
  });
}

async function stopInTime(starting: Promise<{ stop(): Promise<void> }>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new OperatorError(`did not stop within ${timeoutMs} ms`)), timeoutMs);
  });
  await Promise.race([starting.then((service) => service.stop()), late]);
  clearTimeout(timer);
}

/**
 * After an uncaught fault the state is unknown; the supervisor starts a new process. A condition that the operator can fix is
 * one line: a database that stays unavailable.
 */
function endOnFaults(name: string, logger: Logger): void {
  const end = (error: unknown) => {
    if (error instanceof OperatorError) {
      logger.error('ending', { reason: error.message });
      process.stderr.write(`tetrad ${name}: ${error.message}\n`);
      process.exit(EXIT.cannotStart);
    }
    logger.error('unexpected fault, ending', { error });
    process.exit(EXIT.failed);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}

function reportAndExit(name: string, error: unknown, logger: Logger | undefined): never {
  const line = error instanceof OperatorError ? error.message : describeFileError(error);
  if (line !== undefined) {
    process.stderr.write(`tetrad ${name}: ${line}\n`);
    process.exit(error instanceof OptionError ? EXIT.badOptions : EXIT.cannotStart);
  }
  if (logger !== undefined) logger.error('unexpected fault at start', { error });
  else
    process.stderr.write(
      `tetrad ${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
  process.exit(EXIT.failed);
}
