import { join } from 'node:path';
import type { Address } from '@tetrad/types';
import { ROLLUP_CLIENT } from '../paths.js';
import { enrolMembers } from './members.js';
import { wantedPorts, type NetworkService } from './network-service.js';
import { nodePorts, rollupOperatorPorts } from './ports.js';
import {
  BATCH_SIZE,
  chainArguments,
  prepareRollupFiles,
  type RollupFiles,
  type RollupPlace,
} from './rollup-files.js';
import { ServiceProcess } from './service-process.js';

export interface RollupOperatorLaunch {
  readonly dataDir: string;
  /** URL of the database for its rows. */
  readonly databaseUrl: string;
  /** JSON-RPC of the Ethereum client on whose chain the contract is. */
  readonly chainUrl: string;
  /** Contains the password of the created keys. */
  readonly passwordFile: string;
  readonly port: number;
  readonly opsPort: number;
  /** After how long others may do what the operator does not; the default of the operator's command without it. */
  readonly stallTimeoutSeconds?: number | undefined;
  /** Lets an account transact, where permission contracts decide. */
  readonly enrol?: ((account: Address) => Promise<void>) | undefined;
  /** Called when the contract is deployed. */
  readonly onProgress?: ((what: string) => void) | undefined;
  /** Aborts the deployment. */
  readonly signal?: AbortSignal | undefined;
  /** Called when it ends unexpectedly. */
  readonly onEnded?: ((how: string) => void) | undefined;
}

/** Settings for the commands of account holders. */
export interface RollupClientCommand {
  readonly main: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** A development network waits less than the default for a batch to fill. */
const BATCH_INTERVAL = '1s';
/** So that leaving without the operator can be tried in minutes; a network of its own has the operator's default. */
const STALL_TIMEOUT_SECONDS = 120;
const DATABASE = 'tetrad_rollup_operator';

/** A rollup operator with the rollup that it serves. */
export class RollupOperatorProcess extends ServiceProcess {
  constructor(
    private readonly rollup: RollupFiles,
    private readonly options: RollupOperatorLaunch,
  ) {
    super({
      name: 'rollup-operator',
      program: 'rollup-operator',
      opsPort: options.opsPort,
      args: serviceArguments(rollup, options),
      environment: { TETRAD_ROLLUP_OPERATOR_DATABASE_URL: options.databaseUrl },
      logFile: join(options.dataDir, 'rollup-operator.log'),
      onEnded: options.onEnded,
    });
  }

  /** URL of the database with its rows. */
  get databaseUrl(): string {
    return this.options.databaseUrl;
  }

  get rpc(): string {
    return `http://127.0.0.1:${this.options.port}`;
  }

  get contract(): Address {
    return this.rollup.contract;
  }

  /** Public key that account holders encrypt to; 64 bytes as hex. */
  get operatorKey(): string {
    return this.rollup.operatorKey;
  }

  /** Runs `rollup` commands against this operator and its contract. */
  get clientCommand(): RollupClientCommand {
    return {
      main: ROLLUP_CLIENT,
      environment: {
        TETRAD_ROLLUP_CLIENT_CHAIN_URL: this.options.chainUrl,
        TETRAD_ROLLUP_CLIENT_CONTRACT: this.contract,
        TETRAD_ROLLUP_CLIENT_FROM_BLOCK: String(this.rollup.contractBlock),
        TETRAD_ROLLUP_CLIENT_OPERATOR_URL: this.rpc,
      },
    };
  }
}

/**
 * A rollup operator on its database; the first time its keys are created and its contract is deployed on the chain.
 * @throws Error when that does not succeed; with the reason of the signal
 */
export async function openRollupOperator(launch: RollupOperatorLaunch): Promise<RollupOperatorProcess> {
  const rollup = await prepareRollupFiles(placeOf(launch));
  return new RollupOperatorProcess(rollup, launch);
}

const placeOf = (launch: RollupOperatorLaunch): RollupPlace => ({
  ...launch,
  folder: join(launch.dataDir, 'rollup-operator'),
});

function serviceArguments(rollup: RollupFiles, launch: RollupOperatorLaunch): string[] {
  const { chainId, contract, contractBlock, operatorKey, operatorKeyFile } = rollup;
  const place = placeOf(launch);
  return [
    '--migrate',
    '--chain-id',
    String(chainId),
    '--contract',
    contract,
    '--contract-block',
    String(contractBlock),
    '--operator-key',
    operatorKey,
    '--operator-key-file',
    operatorKeyFile,
    '--operator-key-password-file',
    launch.passwordFile,
    '--batch-size',
    String(BATCH_SIZE),
    '--batch-interval',
    BATCH_INTERVAL,
    ...chainArguments(place, rollup.submitterKeyFile),
    '--http-listen-port',
    String(launch.port),
    '--ops-listen-port',
    String(launch.opsPort),
    // The folder only identifies the process: its rows are in the database.
    '--data-dir',
    `${place.folder}/`,
  ];
}

/** The rollup operator of the network, with its contract on the chain of the first node. */
export const rollupOperatorService: NetworkService<RollupOperatorProcess> = {
  ports({ portBase }) {
    const { rpc, ops } = rollupOperatorPorts(portBase);
    return wantedPorts('rollup-operator', { 'JSON-RPC': rpc, operations: ops });
  },
  databases: () => [DATABASE],
  async open({ options, files, databases, onEnded }, { onProgress, signal }) {
    const { rpc, ops } = rollupOperatorPorts(options.portBase);
    const url = `http://127.0.0.1:${nodePorts(options.portBase, 0).rpc}`;
    const enrol = async (account: Address) => {
      const admin = files.nodes[0]?.account;
      if (admin !== undefined) await enrolMembers({ url, admin, members: [account], signal });
    };
    const operator = await openRollupOperator({
      dataDir: options.dataDir,
      passwordFile: files.passwordFile,
      databaseUrl: await databases.open(DATABASE),
      chainUrl: url,
      port: rpc,
      opsPort: ops,
      onProgress,
      signal,
      stallTimeoutSeconds: STALL_TIMEOUT_SECONDS,
      enrol: options.permissioned ? (account) => enrol(account) : undefined,
      onEnded: (how) => onEnded?.('rollup-operator', how),
    });
    return [operator];
  },
  async endpoints([operator]) {
    if (operator === undefined) return {};
    const { rpc, contract, operatorKey, pid } = operator;
    return { rollup: { rpc, contract, operatorKey, pid } };
  },
  rows: ({ rollup }) =>
    rollup === null ? [] : [['rollup-operator', `${rollup.rpc}  contract ${rollup.contract}`]],
};
