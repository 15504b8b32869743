import { Code } from '../code/code.js';
import { enterCreation } from '../interpreter/create-message.js';
import { addressOfCreation, addressOfSaltedCreation } from '../interpreter/created-address.js';
import { answerUnstarted } from '../interpreter/answer-unstarted.js';
import { FAILURE } from '../interpreter/failure.js';
import { WRITES, type Frame } from '../interpreter/frame.js';
import { GAS, charge, memoryGas, wordCount } from '../interpreter/gas.js';
import type { Evm, Handler } from '../interpreter/evm-interface.js';
import { NOTHING } from '../interpreter/memory.js';
import { SIGNAL, type Signal } from '../interpreter/signal.js';
import { toCount, type Word } from '../word/word.js';
import { DEPTH_LIMIT } from './calls.js';
import { refuseWrite } from './storage.js';

const MAX_NONCE = 2n ** 64n - 1n;

interface Creation {
  readonly kind: 'CREATE' | 'CREATE2';
  readonly value: Word;
  readonly address: Word;
  readonly initCode: Uint8Array;
}

const createOf =
  (kind: 'CREATE' | 'CREATE2'): Handler =>
  (evm, frame) => {
    const { stack, rules } = evm;
    const value = stack[frame.top - 1] as Word;
    const offset = stack[frame.top - 2] as Word;
    const size = stack[frame.top - 3] as Word;
    if (rules.limitedInitCode && toCount(size) > 2 * evm.maxCodeSize) {
      return frame.precise ? evm.fail(frame, FAILURE.maxInitCodeSize) : SIGNAL.precise;
    }
    const wordGas =
      (kind === 'CREATE2' ? GAS.keccakWord : 0) + (rules.limitedInitCode ? GAS.initCodeWord : 0);
    // No gas a word and infinitely many words would make no number.
    const gas = (wordGas === 0 ? 0 : wordGas * wordCount(size)) + memoryGas(frame, offset, size);
    if (!charge(evm, frame, gas)) return evm.signal;
    if (frame.writes !== WRITES.allowed) return refuseWrite(evm, frame);
    const initCode = frame.memory.area(offset, size).slice();
    const creator = frame.account;
    const address =
      kind === 'CREATE'
        ? addressOfCreation(creator.key, creator.nonce)
        : addressOfSaltedCreation(creator.key, stack[frame.top - 4] as Word, initCode);
    frame.top -= kind === 'CREATE' ? 3 : 4;
    frame.returnData = NOTHING;
    const failure = failureToStart(frame, value);
    if (failure !== undefined) {
      const gas = lendable(evm, frame);
      evm.lend(frame, gas);
      const message = { kind, target: address, value, input: initCode, gas };
      return answerUnstarted(evm, frame, { message, lent: gas, failure });
    }
    return evm.finishBy(() => create(evm, frame, { kind, value, address, initCode }));
  };

/** Why the creation cannot start, which costs no more than its opcode; or undefined. */
function failureToStart({ depth, account }: Frame, value: Word): string | undefined {
  if (depth >= DEPTH_LIMIT) return FAILURE.depth;
  if (account.balance < value) return FAILURE.insufficientBalance;
  return account.nonce < MAX_NONCE ? undefined : FAILURE.nonceOverflow;
}

/** Gas for a creation: all of it, or all but one 64th under EIP-150. */
function lendable({ rules }: Evm, { gas }: Frame): number {
  return gas - (rules.gasReserve ? Math.floor(gas / 64) : 0);
}

/** The part of a creation that needs the state, after the opcode is paid for. */
function create(evm: Evm, frame: Frame, { kind, value, address, initCode }: Creation): Signal {
  const creator = frame.account;
  // A creation stays in the world of its creator; an account of another world at the address is irrelevant.
  const account = frame.world.account(address);
  if (account === undefined) return evm.stopForMissing();
  const call = { kind, caller: creator.key, target: address, depth: frame.depth + 1 };
  const rejection = evm.hooks?.rejection === undefined ? null : evm.hooks.rejection(call);
  if (rejection === undefined) return evm.stopForMissing();
  creator.setNonce(creator.nonce + 1n);
  const gas = lendable(evm, frame);
  evm.lend(frame, gas);
  return enterCreation(evm, {
    kind,
    creator,
    account,
    value,
    gas,
    rejection,
    world: account.world,
    code: new Code(initCode),
    parent: frame,
  });
}

export const CREATION_HANDLERS: Readonly<Record<number, Handler>> = {
  0xf0: createOf('CREATE'),
  0xf5: createOf('CREATE2'),
};
