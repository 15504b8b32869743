import { hexFromBytes } from '@tetrad/types';
import {
  CodeCache,
  Journal,
  MemorySource,
  World,
  addressFromWord,
  executeCall,
  type CallOutcome,
  type CallRequest,
  type ExecutionContext,
} from '../../src/index.js';
import { BASIC_PRECOMPILES } from '../basic-precompiles.js';
import { FUZZ_BLOCK } from '../fuzz/own-run.js';
import { assemble } from './assemble.js';
import type { OpcodeProgram } from './opcode-programs.js';
import { CALLER } from './workloads.js';

const CONTRACT = addressFromWord(0xc0den);
const context: ExecutionContext = {
  fork: 'osaka',
  block: FUZZ_BLOCK,
  precompiles: { of: () => BASIC_PRECOMPILES },
};
const request: CallRequest = {
  from: CALLER,
  to: CONTRACT,
  gas: 30_000_000,
  gasPrice: 0n,
  value: 0n,
  data: new Uint8Array(64).fill(7),
  accessList: [],
};

/** Costs more than the floor of EIP-7623 adds to the data, which would hide what short programs cost. */
const PREFIX = '0x7777777777777777777777777777777777777777 BALANCE POP';

/** Runs the program's body `copies` times, and the same without the opcode: in both, one call of a contract. */
export function runsOf(program: OpcodeProgram, copies: number) {
  return [program.body, program.without].map((body) =>
    runOf(`${PREFIX} ${program.setup} ${`${body} `.repeat(copies)} STOP`),
  );
}

function runOf(text: string): () => Promise<CallOutcome> {
  const code = hexFromBytes(assemble(text));
  const pre = { [CALLER]: { balance: '0xffffffffff' }, [CONTRACT]: { nonce: '0x1', code } };
  const [source, codes] = [new MemorySource(pre), new CodeCache()];
  // A world of its own for each run: what one run has created is not there for the next.
  return () => executeCall(context, request, new World(source, new Journal(), codes));
}
