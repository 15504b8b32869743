import type { Rules } from '../forks/rules.js';
import { FAILURE } from '../interpreter/failure.js';
import { WRITES, type Frame } from '../interpreter/frame.js';
import { GAS, charge } from '../interpreter/gas.js';
import type { Evm, Handler } from '../interpreter/evm-interface.js';
import { SIGNAL, type Signal } from '../interpreter/signal.js';
import type { Word } from '../word/word.js';

const load: Handler = (evm, frame) => {
  const { stack, rules, journal } = evm;
  const { account } = frame;
  const slot = account.world.slot(account, stack[frame.top - 1] as Word);
  if (slot === undefined) return evm.stopForMissing();
  if (!rules.accessSets) {
    if (!charge(evm, frame, rules.gas.load)) return evm.signal;
  } else {
    const isWarm = slot.isWarm(journal);
    if (!charge(evm, frame, isWarm ? rules.gas.warm : rules.gas.coldSlot)) return evm.signal;
    if (!isWarm) slot.warm(journal);
  }
  stack[frame.top - 1] = slot.value;
  return SIGNAL.next;
};

const store: Handler = (evm, frame) => {
  const { stack, rules, journal } = evm;
  const { account } = frame;
  const slot = account.world.slot(account, stack[frame.top - 1] as Word);
  if (slot === undefined) return evm.stopForMissing();
  const value = stack[frame.top - 2] as Word;
  const { gas, refund } = storePrice(rules, { original: slot.original(journal), current: slot.value, value });
  // EIP-2200: with no more than the stipend of a call nothing is stored.
  const isPoor = rules.storePricing === 'netWithSentry' && frame.gas <= GAS.callStipend;
  const cold = rules.accessSets && !slot.isWarm(journal) ? rules.gas.coldSlot : 0;
  if (!charge(evm, frame, isPoor ? Infinity : gas + cold)) return evm.signal;
  if (frame.writes !== WRITES.allowed) return refuseWrite(evm, frame);
  frame.top -= 2;
  if (rules.accessSets) slot.warm(journal);
  journal.refund += refund;
  if (value !== slot.value) account.setSlot(slot, value);
  return SIGNAL.next;
};

interface Stored {
  /** Before the transaction. */
  readonly original: Word;
  readonly current: Word;
  readonly value: Word;
}

/** Gas of SSTORE without the cold access, and the change of the refund. */
function storePrice(rules: Rules, stored: Stored): { gas: number; refund: number } {
  return rules.storePricing === 'plain' ? plainPrice(rules, stored) : netPrice(rules, stored);
}

function plainPrice({ gas }: Rules, { current, value }: Stored): { gas: number; refund: number } {
  if (current === 0 && value !== 0) return { gas: GAS.storeSet, refund: 0 };
  return { gas: gas.storeReset, refund: current !== 0 && value === 0 ? gas.storeClearRefund : 0 };
}

/** EIP-1283 and EIP-2200, whose tables are the same but for the price of a load. */
function netPrice(rules: Rules, stored: Stored): { gas: number; refund: number } {
  const { original, current, value } = stored;
  const { storeReset, storeClearRefund } = rules.gas;
  const load = rules.accessSets ? rules.gas.warm : rules.gas.load;
  if (current === value) return { gas: load, refund: 0 };
  if (original === current) {
    if (original === 0) return { gas: GAS.storeSet, refund: 0 };
    return { gas: storeReset, refund: value === 0 ? storeClearRefund : 0 };
  }
  let refund = 0;
  if (original !== 0) {
    if (current === 0) refund -= storeClearRefund;
    if (value === 0) refund += storeClearRefund;
  }
  // Restoring the original value refunds the cost of the first change, less the cost of a no-op.
  if (original === value) refund += (original === 0 ? GAS.storeSet : storeReset) - load;
  return { gas: load, refund };
}

const transientLoad: Handler = ({ stack, journal }, frame) => {
  const slot = frame.account.transientSlot(stack[frame.top - 1] as Word);
  stack[frame.top - 1] = slot.get(journal);
  return SIGNAL.next;
};

const transientStore: Handler = (evm, frame) => {
  if (frame.writes !== WRITES.allowed) return refuseWrite(evm, frame);
  const { stack, journal } = evm;
  frame.top -= 2;
  frame.account.transientSlot(stack[frame.top + 1] as Word).set(stack[frame.top] as Word, journal);
  return SIGNAL.next;
};

/** Fails a frame that may not write. */
export function refuseWrite(evm: Evm, frame: Frame): Signal {
  const isStatic = frame.writes === WRITES.static;
  return evm.fail(frame, isStatic ? FAILURE.writeProtection : FAILURE.readOnlyMode);
}

/** Storage and transient storage (EIP-1153). */
export const STORAGE_HANDLERS: Readonly<Record<number, Handler>> = {
  0x54: load,
  0x55: store,
  0x5c: transientLoad,
  0x5d: transientStore,
};
