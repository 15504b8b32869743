import {
  MoveFile,
  RollupContract,
  abandonMove,
  moveRollup,
  rollupTokens,
  type MoveEnd,
  type MoveProgress,
  type OperatorClient,
  type RollupKeys,
} from '@tetrad/rollup-client';
import {
  booleanOption,
  defineOptions,
  durationOption,
  integerOption,
  option,
  pathOption,
  secretPathOption,
  textOption,
  urlOption,
  type ConfigOf,
} from '@tetrad/service';
import { chosenSuccessor } from '../chosen-successor.js';
import { chosenTokens } from '../chosen-tokens.js';
import { doubtsOfDeposit } from '../deposit-doubts.js';
import { dispel } from '../doubts.js';
import { parseGasPrice } from '../gas-price.js';
import { minimumOptions, parseMinimum } from '../minimum-option.js';
import { moveDescriber, moveJson, placeLines, placesJson } from '../move-text.js';
import { openJournalOf, openKeys, pause, withContract, withOperator } from '../open-account.js';
import { accountOptions, addressOption, jsonOptions, onlyOptions, sureOptions } from '../options.js';
import { assertVerified, doubtOfContract } from '../verified-contract.js';
import { EXIT, defineCommand, type Terminal } from './define-command.js';

const SUCCESSOR = 'Successor';

const moveOptions = defineOptions({
  ...accountOptions,
  ...onlyOptions,
  ...minimumOptions,
  ...sureOptions,
  ...jsonOptions,
  to: option(addressOption(), {
    group: SUCCESSOR,
    description: 'The rollup contract on the same chain to which the account moves.',
  }),
  statement: option(pathOption(), {
    group: SUCCESSOR,
    description:
      'In place of --to: file with what the operator of --contract has signed by sign-successor, which is checked.',
  }),
  toFromBlock: option(integerOption({ min: 0, max: Number.MAX_SAFE_INTEGER }), {
    group: SUCCESSOR,
    description: 'Block in which the successor was created, or an earlier one.',
    default: 0,
  }),
  toOperatorUrl: option(urlOption('http', 'https'), {
    group: SUCCESSOR,
    description:
      'JSON-RPC of the operator of the successor, which makes the account there where it is not yet.',
  }),
  toOperatorTokenFile: option(secretPathOption(), {
    group: SUCCESSOR,
    description: 'File with the token for that operator, where it requires one.',
  }),
  byChain: option(booleanOption(), {
    description:
      'Leaves by the contract alone when its operator does not serve: what is overdue freezes it. A contract that is frozen is always left so.',
    default: false,
  }),
  maxFeePerGas: option(textOption('PRICE'), {
    description: 'The most that withdrawals by the contract pay for a unit of gas, as of exit.',
  }),
  timeout: option(durationOption({ min: 1_000 }), {
    description: 'How long it waits for an operator that does nothing.',
    default: 600_000,
  }),
  abandon: option(booleanOption(), {
    description: 'Ends a move that has begun, wherever it is, and says where the money is; nothing is sent.',
    default: false,
  }),
});

type MoveConfig = ConfigOf<typeof moveOptions>;

/** What a move is done with. */
interface MoveParts {
  readonly contract: RollupContract;
  readonly keys: RollupKeys;
  readonly file: MoveFile;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

export const moveCommand = defineCommand({
  name: 'move',
  usage: '--to ADDRESS --contract ADDRESS --key-file FILE --password-file FILE [options]',
  words: [0, 0],
  summary:
    'Moves all that the account holds to another rollup: takes it out to the address of the key file, and deposits it there; after an interruption, run it again.',
  options: moveOptions,
  async run({ config, terminal, signal }) {
    const keys = await openKeys(config);
    const file = await MoveFile.open(`${config.keyFile}.move`);
    try {
      return await withContract(config, (contract) => {
        const parts = { contract, keys, file, terminal, signal };
        return config.abandon ? abandon(config, parts) : move(config, parts);
      });
    } finally {
      await file.close();
    }
  },
});

async function move(config: MoveConfig, parts: MoveParts): Promise<number> {
  const { contract, keys, file, terminal, signal } = parts;
  const maxFeePerGas =
    config.maxFeePerGas === undefined ? undefined : parseGasPrice(config.maxFeePerGas, '--max-fee-per-gas');
  const minimum = parseMinimum(config.minimum);
  const tokens = await chosenTokens(contract, config.only);
  const successor = await openSuccessor(config, parts);
  const describe = await moveDescriber(contract, successor);
  const onProgress = (progress: MoveProgress) =>
    terminal.say(config.json ? moveJson(progress) : describe(progress));
  const end = await withOperator(config, (operator) =>
    withSuccessorOperator(config, (successorOperator) =>
      moveRollup({
        contract,
        successor,
        keys,
        file,
        tokens,
        minimum,
        operator,
        successorOperator,
        openJournal: () => openJournalOf(config),
        byChain: config.byChain,
        fromBlock: config.fromBlock,
        successorFromBlock: config.toFromBlock,
        maxFeePerGas,
        timeoutMs: config.timeout,
        signal,
        onProgress,
        pause,
      }),
    ),
  );
  return report(end, successor, { config, parts });
}

function withSuccessorOperator<Result>(
  { toOperatorUrl: operatorUrl, toOperatorTokenFile: operatorTokenFile }: MoveConfig,
  work: (operator: OperatorClient | undefined) => Promise<Result>,
): Promise<Result> {
  if (operatorUrl === undefined) return work(undefined);
  return withOperator({ operatorUrl, operatorTokenFile }, work);
}

/** Verified as before a deposit: more than its address is not known of it. */
async function openSuccessor(
  config: MoveConfig,
  { contract, file, terminal }: MoveParts,
): Promise<RollupContract> {
  const address = await chosenSuccessor(config, contract, file);
  const successor = await RollupContract.open(contract.client, address);
  await assertVerified(successor, { fromBlock: config.toFromBlock, yes: config.yes }, terminal);
  const doubts = [
    await doubtOfContract(contract, config),
    ...(await doubtsOfDeposit(successor, await rollupTokens(successor))),
  ];
  await dispel(doubts, { isSure: config.yes, terminal });
  return successor;
}

function report(
  { kind, places }: MoveEnd,
  successor: RollupContract,
  { config, parts }: { readonly config: MoveConfig; readonly parts: MoveParts },
): number {
  const { contract, terminal } = parts;
  if (config.json) terminal.say(placesJson(places));
  else for (const each of places) placeLines(contract.address, each).forEach((line) => terminal.say(line));
  if (kind === 'nothing') {
    terminal.warn('the account holds nothing that could move');
    return EXIT.done;
  }
  if (kind === 'frozen') {
    terminal.warn(
      `the successor at ${successor.address} is frozen: leave it with tetrad rollup exit, and go on with another --to, or end the move with --abandon`,
    );
    return EXIT.failed;
  }
  if (places.every(({ inContract }) => inContract === 0n)) return EXIT.done;
  terminal.warn('what is still in the rollup came meanwhile, or could not be paid: run it again');
  return EXIT.failed;
}

async function abandon({ fromBlock, json }: MoveConfig, parts: MoveParts): Promise<number> {
  const { contract, keys, file, terminal } = parts;
  const places = await abandonMove({ contract, keys, file, fromBlock, tokens: undefined });
  if (json) terminal.say(placesJson(places));
  else for (const each of places) placeLines(contract.address, each).forEach((line) => terminal.say(line));
  return EXIT.done;
}
