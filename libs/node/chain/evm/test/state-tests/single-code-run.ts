import { bytesFromHex, hexFromBytes, parseAddress, type Log } from '@tetrad/types';
import {
  Code,
  CodeCache,
  Journal,
  MemorySource,
  World,
  addressFromWord,
  hashFromWord,
  prepare,
  rulesOf,
  toWord,
  wordFromAddress,
  type FrameOutcome,
  type PreState,
  type Precompiles,
} from '../../src/index.js';
import { enterCall } from '../../src/interpreter/call-message.js';
import { Evm } from '../../src/interpreter/evm.js';
import { drive } from '../../src/transaction/drive.js';
import { endTransaction } from '../../src/transaction/end-transaction.js';
import type { Account } from '../../src/world/account.js';
import { blockOf, logsHash } from './state-test.js';

/** The older form of the published tests: one code, without a transaction around it (`VMTests`). */
export interface SingleCodeTest {
  readonly env: Readonly<Record<string, string>>;
  readonly pre: PreState;
  readonly exec: {
    readonly address: string;
    readonly caller: string;
    readonly code: string;
    readonly data: string;
    readonly gas: string;
    readonly gasPrice: string;
    readonly origin: string;
    readonly value: string;
  };
  /** Gas that remains; this and what follows are absent where the code must fail. */
  readonly gas?: string;
  readonly logs?: string;
  readonly out?: string;
  readonly post?: PreState;
}

/** These tests are of the first rules. */
const FORK = 'chainstart';

/** Whether the code ends with the gas, output, logs and state of its test, or fails where it must. */
export async function passesSingleCode(test: SingleCodeTest, precompiles: Precompiles): Promise<boolean> {
  const source = new MemorySource(test.pre);
  const world = new World(source, new Journal(), new CodeCache());
  const { gasUsed, output, failure } = await execute(test, world, precompiles);
  const mustFail = test.gas === undefined;
  if (failure !== undefined || mustFail) return failure !== undefined && mustFail;
  const logs = world.journal.logs.map(({ address, topics, data }): Log => {
    return { address: addressFromWord(address), topics: topics.map(hashFromWord), data };
  });
  endTransaction(world.journal, rulesOf(FORK));
  source.apply(world.changes());
  return (
    Number(test.exec.gas) - gasUsed === Number(test.gas) &&
    hexFromBytes(output) === test.out &&
    logsHash(logs) === test.logs &&
    source.root === new MemorySource(test.post ?? {}).root
  );
}

/** Runs the code in the name of its account; the value is visible to it as CALLVALUE, and does not move. */
async function execute(
  { env, exec }: SingleCodeTest,
  world: World,
  precompiles: Precompiles,
): Promise<FrameOutcome> {
  const block = blockOf(env);
  const to = parseAddress(exec.address);
  const { sender, target } = await prepare(world, {
    sender: parseAddress(exec.caller),
    to,
    coinbase: block.coinbase,
    accessList: [],
  });
  const account = target as Account;
  const caller = sender.key;
  const evm = new Evm({
    rules: rulesOf(FORK),
    block,
    journal: world.journal,
    precompiles: precompiles.of(FORK),
    origin: wordFromAddress(parseAddress(exec.origin)),
    gasPrice: toWord(BigInt(exec.gasPrice)),
  });
  evm.rest = () =>
    enterCall(evm, {
      kind: 'CALL',
      account,
      target: account,
      code: new Code(bytesFromHex(exec.code)),
      caller,
      value: toWord(BigInt(exec.value)),
      payer: undefined,
      input: bytesFromHex(exec.data),
      gas: Number(exec.gas),
      parent: undefined,
      outputAt: 0,
      outputSize: 0,
      rejection: null,
    });
  await drive(evm);
  return evm.outcome as FrameOutcome;
}
