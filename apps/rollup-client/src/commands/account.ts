import {
  createRollupKeyFile,
  findOwnAccount,
  recoverAccount,
  registerAccount,
  type RollupContract,
} from '@tetrad/rollup-client';
import { encodePoint } from '@tetrad/rollup-crypto';
import type { Account } from '@tetrad/rollup-state';
import { defineOptions } from '@tetrad/service';
import { OperatorError, firstLine, hexFromBytes } from '@tetrad/types';
import { describeAmount } from '../amount.js';
import { openKeys, withAccount, withContract, withOperator } from '../open-account.js';
import {
  accountOptions,
  chainOptions,
  jsonOptions,
  keyOptions,
  operatorOptions,
  sureOptions,
  waitOptions,
} from '../options.js';
import { describeEvent, jsonText } from '../record-text.js';
import { assertVerified } from '../verified-contract.js';
import { waitFor } from '../wait-for.js';
import { EXIT, defineCommand, type Terminal } from './define-command.js';

export const newAccountCommand = defineCommand({
  name: 'account new',
  usage: '--key-file FILE --password-file FILE',
  words: [0, 0],
  summary: 'Makes keys and writes them into an encrypted file; an existing file stays as it is.',
  options: defineOptions({ ...keyOptions, ...jsonOptions }),
  async run({ config, terminal }) {
    const password = firstLine(config.passwordFile.reveal());
    if (password === '') throw new OperatorError('the password file is empty');
    const keys = await createRollupKeyFile(config.keyFile, password);
    const publicKey = hexFromBytes(encodePoint(keys.publicKey));
    if (config.json) return terminal.say(jsonText({ publicKey, address: keys.address }));
    terminal.say(`public key ${publicKey}`);
    terminal.say(`Ethereum address ${keys.address}`);
  },
});

export const registerAccountCommand = defineCommand({
  name: 'account register',
  usage: '--contract ADDRESS --key-file FILE --password-file FILE [options]',
  words: [0, 0],
  summary: 'Asks the operator for an account of the keys; it can be paid once its batch is final.',
  options: defineOptions({
    ...chainOptions,
    ...operatorOptions,
    ...keyOptions,
    ...waitOptions,
    ...sureOptions,
    ...jsonOptions,
  }),
  async run({ config, terminal, signal }) {
    const keys = await openKeys(config);
    return withContract(config, (contract) =>
      withOperator(config, async (operator) => {
        await assertVerified(contract, config, terminal);
        const status = await registerAccount(operator, contract, keys);
        terminal.say(config.json ? jsonText({ status }) : status);
        if (status !== 'REGISTERED' && status !== 'PUBLIC_KEY_ALREADY_EXISTS') return EXIT.failed;
        if (!config.wait) return EXIT.done;
        const { id } = await waitFor(() => findOwnAccount(operator, contract, keys), {
          what: 'the account is not final',
          timeoutMs: config.timeout,
          signal,
        });
        terminal.say(config.json ? jsonText({ account: id }) : `account ${id}`);
        return EXIT.done;
      }),
    );
  },
});

export const showAccountCommand = defineCommand({
  name: 'account show',
  usage: '--contract ADDRESS --key-file FILE --password-file FILE [options]',
  words: [0, 0],
  summary: 'Prints the final state of the account, proved against the contract.',
  options: defineOptions({ ...accountOptions, ...jsonOptions }),
  run: ({ config, terminal }) =>
    withAccount(config, async ({ account, contract }) => {
      const { account: state, height } = await account.state();
      await sayAccount(state, { height, contract, isJson: config.json, terminal });
    }),
});

export const recoverAccountCommand = defineCommand({
  name: 'account recover',
  usage: '--contract ADDRESS --key-file FILE --password-file FILE [options]',
  words: [0, 0],
  summary:
    'Prints the history and the state of the account from the events of the contract alone; no operator is asked.',
  options: defineOptions({ ...chainOptions, ...keyOptions, ...jsonOptions }),
  async run({ config, terminal }) {
    const keys = await openKeys(config);
    return withContract(config, async (contract) => {
      const toBlock = await contract.client.blockNumber();
      const recovery = await recoverAccount(contract, keys, {
        fromBlock: config.fromBlock,
        toBlock,
        onEvent: (event) => terminal.say(config.json ? jsonText(event) : describeEvent(event)),
      });
      if (recovery.own === undefined) {
        terminal.warn('the rollup has no account of these keys');
        return EXIT.failed;
      }
      const height = recovery.next.height - 1;
      await sayAccount(recovery.own, { height, contract, isJson: config.json, terminal });
      return EXIT.done;
    });
  },
});

async function sayAccount(
  account: Account,
  how: {
    readonly height: number;
    readonly contract: RollupContract;
    readonly isJson: boolean;
    readonly terminal: Terminal;
  },
): Promise<void> {
  const { id, nonce, redemptionIndex, balances } = account;
  const { terminal, contract, height } = how;
  if (how.isJson) {
    terminal.say(jsonText({ id, nonce, redemptionIndex, height, balances: Object.fromEntries(balances) }));
    return;
  }
  terminal.say(`account ${id} after batch ${height}: nonce ${nonce}, redemption index ${redemptionIndex}`);
  for (const [tokenId, amount] of balances)
    terminal.say(`  ${describeAmount(amount, await contract.token(tokenId))}`);
}
