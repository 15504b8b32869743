import type { Code } from '../code/code.js';
import type { Frame } from '../interpreter/frame.js';
import type { Evm } from '../interpreter/evm-interface.js';
import type { Account } from '../world/account.js';
import { wordFromBytes, type Word } from '../word/word.js';

/** The callee of a call, with EIP-7702 delegation resolved. */
export interface Callee {
  readonly target: Account;
  /** The code that runs: the target's own, or that of the account to which it delegates. */
  readonly code: Code;
  /** The account to which the target's code points. */
  readonly delegate: Account | undefined;
}

/** Layout: 0xef0100 (3) ‖ address (20). EIP-7702. */
const DELEGATION_SIZE = 23;

/** The address to which a code points, or undefined. */
export function delegationOf({ bytes }: Code): Word | undefined {
  if (bytes.length !== DELEGATION_SIZE || bytes[0] !== 0xef || bytes[1] !== 1 || bytes[2] !== 0)
    return undefined;
  return wordFromBytes(bytes.subarray(3));
}

/**
 * Follows a pointer in the code of a call's target, once.
 * @returns undefined when something is missing
 */
export function delegateOf(
  evm: Evm,
  frame: Frame,
  { target, code }: { target: Account; code: Code },
): Callee | undefined {
  const address = delegationOf(code);
  if (address === undefined) return { target, code, delegate: undefined };
  const delegate = evm.accountOf(frame, address);
  const delegated = delegate?.world.code(delegate);
  return delegated === undefined ? undefined : { target, code: delegated, delegate };
}
