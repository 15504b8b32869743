import { WRITES } from '../interpreter/frame.js';
import { GAS, charge, memoryGas } from '../interpreter/gas.js';
import type { Handler } from '../interpreter/evm-interface.js';
import { SIGNAL } from '../interpreter/signal.js';
import { toCount, type Word } from '../word/word.js';
import { refuseWrite } from './storage.js';

const log =
  (topicCount: number): Handler =>
  (evm, frame) => {
    const { stack } = evm;
    const offset = stack[frame.top - 1] as Word;
    const size = stack[frame.top - 2] as Word;
    const gas = GAS.logByte * toCount(size) + memoryGas(frame, offset, size);
    if (!charge(evm, frame, gas)) return evm.signal;
    if (frame.writes !== WRITES.allowed) return refuseWrite(evm, frame);
    const topics: Word[] = [];
    for (let n = 0; n < topicCount; n++) topics.push(stack[frame.top - 3 - n] as Word);
    const data = frame.memory.area(offset, size).slice();
    frame.top -= 2 + topicCount;
    evm.journal.logs.push({ address: frame.account.key, topics, data });
    return SIGNAL.next;
  };

export const LOG_HANDLERS: Readonly<Record<number, Handler>> = {
  0xa0: log(0),
  0xa1: log(1),
  0xa2: log(2),
  0xa3: log(3),
  0xa4: log(4),
};
