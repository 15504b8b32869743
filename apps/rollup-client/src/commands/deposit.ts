import {
  allowance,
  approve,
  findDepositOrder,
  findOwnAccount,
  madeDeposit,
  openRollupKeyFile,
  type RollupContract,
  type RollupKeys,
  type RollupToken,
  type SendOptions,
} from '@tetrad/rollup-client';
import {
  OptionError,
  booleanOption,
  defineOptions,
  integerOption,
  option,
  pathOption,
  secretFileOption,
  textOption,
} from '@tetrad/service';
import { OperatorError, firstLine } from '@tetrad/types';
import { describeAmount, parseAmount } from '../amount.js';
import { doubtsOfDeposit } from '../deposit-doubts.js';
import { dispel } from '../doubts.js';
import { withLooks } from '../account-looks.js';
import { openKeys, withContract, withOperator } from '../open-account.js';
import {
  chainOptions,
  keyOptions,
  jsonOptions,
  operatorOptions,
  sureOptions,
  tokenOptions,
  waitOptions,
} from '../options.js';
import { describeRecord, jsonText } from '../record-text.js';
import { assertVerified } from '../verified-contract.js';
import { POLL_MS, waitFor } from '../wait-for.js';
import { defineCommand, type Terminal } from './define-command.js';

export const depositCommand = defineCommand({
  name: 'deposit',
  usage: '--amount AMOUNT --contract ADDRESS --key-file FILE --password-file FILE [options]',
  words: [0, 0],
  summary:
    'Deposits ether or tokens into the contract for an account, which receives a money order in one of the next batches.',
  options: defineOptions({
    ...chainOptions,
    ...operatorOptions,
    ...keyOptions,
    ...tokenOptions,
    ...sureOptions,
    ...jsonOptions,
    wait: option(booleanOption(), {
      description: 'Wait until the deposit is a money order that the account can redeem.',
      default: false,
    }),
    timeout: waitOptions.timeout,
    amount: option(textOption('AMOUNT'), {
      description: 'Units of the rollup, such as 1500; for ether also 1.5ether, 20gwei or wei.',
      required: true,
    }),
    account: option(integerOption({ min: 1, max: 2 ** 28 - 1 }), {
      description: 'Account that is credited; default: that of the key file.',
    }),
    payerKeyFile: option(pathOption(), {
      group: 'Keys',
      description: 'Key file of the Ethereum account that pays; default: the key file.',
    }),
    payerPasswordFile: option(secretFileOption(), {
      group: 'Keys',
      description: 'File whose first line is the password of that file.',
    }),
  }),
  async run({ config, terminal, signal }) {
    const keys = await openKeys(config);
    const payer = await openPayer(config, keys);
    return withContract(config, async (contract) => {
      await assertVerified(contract, config, terminal);
      const token = await contract.token(config.token);
      await dispel(await doubtsOfDeposit(contract, [token]), { isSure: config.yes, terminal });
      const amount = parseAmount(config.amount, token);
      assertAmount(contract, amount, token);
      const accountId = config.account ?? (await ownId(config, contract, keys));
      const options: SendOptions = {
        key: payer.ethereumKey,
        signal,
        onSent: (hash) => terminal.say(config.json ? jsonText({ transaction: hash }) : `transaction ${hash}`),
      };
      if (token.id !== 0) await allow(contract, { token, amount, payer }, options);
      const receipt =
        token.id === 0
          ? await contract.depositEther({ accountId, amount }, options)
          : await contract.depositToken({ accountId, tokenId: token.id, amount }, options);
      const { blockNumber } = receipt;
      terminal.say(
        config.json
          ? jsonText({ deposited: amount, token: token.id, account: accountId, blockNumber })
          : `deposited ${describeAmount(amount, token)} for account ${accountId} in block ${blockNumber}`,
      );
      if (config.wait) await waitForOrder(contract, receipt, { config, terminal, signal });
    });
  },
});

/** Before anything is sent, the allowance of a token included. */
function assertAmount({ minDeposit }: RollupContract, amount: bigint, token: RollupToken): void {
  if (amount === 0n) throw new OptionError('--amount', 'must be above 0');
  if (amount < minDeposit)
    throw new OptionError(
      '--amount',
      `must be ${describeAmount(minDeposit, token)} or more: the contract takes no smaller deposit`,
    );
}

type DepositConfig = Parameters<typeof withOperator>[0];

/** The operator takes it into one of the next batches; by contract it cannot leave it out for long. */
async function waitForOrder(
  contract: RollupContract,
  receipt: Parameters<typeof madeDeposit>[1],
  {
    config,
    terminal,
    signal,
  }: {
    readonly config: DepositConfig & { readonly timeout: number; readonly json: boolean };
    readonly terminal: Terminal;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const deposit = await madeDeposit(contract, receipt);
  const { accountId, index } = deposit;
  const what = `deposit ${index} is in no final batch`;
  const item = await withOperator(config, (operator) =>
    withLooks(config, { accountId, intervalMs: POLL_MS }, (looks) =>
      waitFor(() => findDepositOrder(operator, deposit), { what, timeoutMs: config.timeout, signal, looks }),
    ),
  );
  terminal.say(config.json ? jsonText({ received: item }) : `received  ${describeRecord(item)}`);
}

async function ownId(config: DepositConfig, contract: RollupContract, keys: RollupKeys): Promise<number> {
  const own = await withOperator(config, (operator) => findOwnAccount(operator, contract, keys));
  if (own === undefined)
    throw new OperatorError('these keys have no account in the rollup, or it is not final yet');
  return own.id;
}

async function openPayer(
  {
    payerKeyFile,
    payerPasswordFile,
  }: {
    readonly payerKeyFile: string | undefined;
    readonly payerPasswordFile: { reveal(): string } | undefined;
  },
  keys: RollupKeys,
): Promise<RollupKeys> {
  if (payerKeyFile === undefined) return keys;
  if (payerPasswordFile === undefined)
    throw new OptionError('--payer-password-file', 'is required with --payer-key-file');
  return openRollupKeyFile(payerKeyFile, firstLine(payerPasswordFile.reveal()));
}

/** Lets the contract take exactly what is deposited, where it may not yet. */
async function allow(
  contract: RollupContract,
  {
    token,
    amount,
    payer,
  }: { readonly token: RollupToken; readonly amount: bigint; readonly payer: RollupKeys },
  options: SendOptions,
): Promise<void> {
  const wanted = amount * token.unit;
  const grant = { token: token.address, spender: contract.address };
  if ((await allowance(contract.client, { ...grant, owner: payer.address })) >= wanted) return;
  await approve(contract.client, { ...grant, amount: wanted }, options);
}
