import { OP } from '../code/opcode.js';
import { invalidOpcode } from '../interpreter/failure.js';
import type { Handler } from '../interpreter/evm-interface.js';
import { SIGNAL } from '../interpreter/signal.js';
import { ACCOUNT_HANDLERS } from './accounts.js';
import { CALL_HANDLERS } from './calls.js';
import { COMPUTED_HANDLERS } from './computed.js';
import { CREATION_HANDLERS } from './creations.js';
import { ENVIRONMENT_HANDLERS } from './environment.js';
import { LOG_HANDLERS } from './logs.js';
import { MEMORY_HANDLERS } from './memory.js';
import { SELF_DESTRUCT_HANDLERS } from './self-destruct.js';
import { STACK_HANDLERS } from './stack.js';
import { STORAGE_HANDLERS } from './storage.js';
import { WORD_HANDLERS } from './words.js';

/** An opcode that the rules do not have; the precise loop, which sees the code itself, names it. */
const invalid: Handler = (evm, frame) =>
  frame.precise ? evm.fail(frame, invalidOpcode(OP.INVALID, 'INVALID')) : SIGNAL.precise;

const groups: Readonly<Record<number, Handler>> = {
  ...WORD_HANDLERS,
  ...COMPUTED_HANDLERS,
  ...ENVIRONMENT_HANDLERS,
  ...ACCOUNT_HANDLERS,
  ...STACK_HANDLERS,
  ...MEMORY_HANDLERS,
  ...STORAGE_HANDLERS,
  ...LOG_HANDLERS,
  ...CREATION_HANDLERS,
  ...CALL_HANDLERS,
  ...SELF_DESTRUCT_HANDLERS,
};

/** By opcode. Jumps and PUSH are the loops' own. Which of them a fork has is decided by its rules. */
export const HANDLERS: readonly Handler[] = Array.from({ length: 256 }, (_, op) => groups[op] ?? invalid);
