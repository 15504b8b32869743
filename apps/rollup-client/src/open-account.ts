import {
  RollupAccount,
  RollupContract,
  connectEthereum,
  connectOperator,
  openJournalFile,
  openRollupKeyFile,
  type JournalStore,
  type OperatorClient,
  type RollupKeys,
} from '@tetrad/rollup-client';
import { OptionError, TokenFile } from '@tetrad/service';
import { firstLine, silentLogger, systemClock } from '@tetrad/types';
import type { AccountConfig, ChainConfig, KeyConfig, PayerConfig } from './options.js';
import { EXIT, type Terminal } from './commands/define-command.js';

export function openKeys({ keyFile, passwordFile }: KeyConfig): Promise<RollupKeys> {
  return openRollupKeyFile(keyFile, firstLine(passwordFile.reveal()));
}

/** The journal beside the key file, or where the options have it. */
export const openJournalOf = ({
  journalFile,
  keyFile,
}: Pick<AccountConfig, 'journalFile' | 'keyFile'>): Promise<JournalStore> =>
  openJournalFile(journalFile ?? `${keyFile}.journal`);

/**
 * @returns undefined when the account pays by itself
 * @throws OptionError without the password; as `openKeys`
 */
export async function openPayerKey({
  payerKeyFile,
  payerPasswordFile,
}: PayerConfig): Promise<Uint8Array | undefined> {
  if (payerKeyFile === undefined) return undefined;
  if (payerPasswordFile === undefined)
    throw new OptionError('--payer-password-file', 'is required with --payer-key-file');
  const { ethereumKey } = await openKeys({ keyFile: payerKeyFile, passwordFile: payerPasswordFile });
  return ethereumKey;
}

/** Runs work with the contract, then closes the connection. */
export async function withContract<Result>(
  { chainUrl, contract }: ChainConfig,
  work: (contract: RollupContract) => Promise<Result>,
): Promise<Result> {
  const client = connectEthereum(chainUrl.href);
  try {
    return await work(await RollupContract.open(client, contract));
  } finally {
    await client.close();
  }
}

export type OperatorConfig = Pick<AccountConfig, 'operatorUrl' | 'operatorTokenFile'>;

/**
 * Headers for the operator; undefined without a token.
 * @throws OptionError, StartupError when the file holds none
 */
export function operatorHeaders({
  operatorTokenFile: path,
}: OperatorConfig): (() => Readonly<Record<string, string>>) | undefined {
  if (path === undefined) return undefined;
  const flag = '--operator-token-file';
  const token = new TokenFile({ path, flag, logger: silentLogger, clock: systemClock });
  return () => token.headers();
}

/** Runs work with the operator, then closes the connections. */
export async function withOperator<Result>(
  config: OperatorConfig,
  work: (operator: OperatorClient) => Promise<Result>,
): Promise<Result> {
  const operator = connectOperator(config.operatorUrl.href, { headers: operatorHeaders(config) });
  try {
    return await work(operator);
  } finally {
    await operator.close();
  }
}

/** An account with what it is used with. */
export interface OpenedAccount {
  readonly account: RollupAccount;
  readonly contract: RollupContract;
  readonly operator: OperatorClient;
  readonly keys: RollupKeys;
}

/** Runs work with the account of the key file. */
export function withAccount<Result>(
  config: AccountConfig,
  work: (opened: OpenedAccount) => Promise<Result>,
): Promise<Result> {
  return withPlaces(config, (places) => withOwnAccount(config, places, work));
}

/** Runs work with the keys, the contract and the operator. */
export async function withPlaces<Result>(
  config: AccountConfig,
  work: (places: Omit<OpenedAccount, 'account'>) => Promise<Result>,
): Promise<Result> {
  const keys = await openKeys(config);
  return withContract(config, (contract) =>
    withOperator(config, (operator) => work({ contract, operator, keys })),
  );
}

/** Runs work with the account of the keys, which other processes then wait for. */
export async function withOwnAccount<Result>(
  config: AccountConfig,
  places: Omit<OpenedAccount, 'account'>,
  work: (opened: OpenedAccount) => Promise<Result>,
): Promise<Result> {
  const openJournal = () => openJournalOf(config);
  const account = await RollupAccount.open({ ...places, openJournal, fromBlock: config.fromBlock });
  try {
    return await work({ ...places, account });
  } finally {
    await account.close();
  }
}

/**
 * Settles earlier operations without an outcome first. A user who repeats a command because its answer was lost must not pay
 * twice: then nothing new is signed.
 * @returns the exit code when the command is to end here
 */
export async function settleFirst(account: RollupAccount, terminal: Terminal): Promise<number | undefined> {
  const settled = await account.settle();
  for (const { operation, isAccepted, reason } of settled) {
    const { hash, nonce } = operation;
    terminal.warn(
      isAccepted
        ? `the operation of before with nonce ${nonce} is accepted: ${hash}`
        : `the operation of before with nonce ${nonce} is refused (${reason}): ${hash}`,
    );
  }
  if (settled.length === 0) return undefined;
  terminal.warn('nothing new was signed; run it again if it is another operation that you want');
  return EXIT.unsettled;
}

/** Ends early when the signal comes. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((done) => {
    const timer = setTimeout(finish, ms);
    function finish() {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      done();
    }
    signal.addEventListener('abort', finish, { once: true });
  });
}
