import { addressFromBytes, parseAddress, type Address } from '@tetrad/types';
import type { Scenario } from '../../../../evm/test/fuzz/random-world.js';
import type { CallFrame } from '../../../src/index.js';
import { runListened } from './run-listened.js';

/** The calls of a scenario as EthereumJS reports them in events; it reports only calls that started. */
export async function oracleFrames(scenario: Scenario): Promise<CallFrame> {
  let top: CallFrame | undefined;
  const open: { frame: CallFrame; address: Address | undefined; opcode: string }[] = [];
  await runListened(scenario, {
    async step({ opcode: { name }, stack, address }, state) {
      const current = open.at(-1);
      if (current === undefined) return;
      current.opcode = name;
      current.address ??= addressFromBytes(address.bytes);
      const beneficiary = stack.at(-1);
      if (name !== 'SELFDESTRUCT' || beneficiary === undefined) return;
      (current.frame.calls ??= []).push({
        type: 'SELFDESTRUCT',
        from: addressFromBytes(address.bytes),
        to: parseAddress(`0x${beneficiary.toString(16).padStart(64, '0').slice(-40)}`),
        value: (await state.getAccount(address))?.balance ?? 0n,
        gas: 0n,
        gasUsed: 0n,
        input: new Uint8Array(0),
      });
    },
    enter(message) {
      const parent = open.at(-1);
      const { to, caller, value, gasLimit, data } = message;
      const type = parent === undefined ? (to === undefined ? 'CREATE' : 'CALL') : parent.opcode;
      const frame: CallFrame = {
        type,
        from: parent?.address ?? addressFromBytes(caller.bytes),
        ...(to === undefined ? {} : { to: addressFromBytes(message.codeAddress.bytes) }),
        ...(type === 'STATICCALL' ? {} : { value }),
        gas: gasLimit,
        gasUsed: 0n,
        input: Uint8Array.from(data),
      };
      if (parent === undefined) top = frame;
      else (parent.frame.calls ??= []).push(frame);
      open.push({ frame, address: to === undefined ? undefined : addressFromBytes(to.bytes), opcode: '' });
    },
    leave({ execResult, createdAddress }) {
      const frame = open.pop()?.frame;
      if (frame === undefined) return;
      const { exceptionError: failure, returnValue, executionGasUsed } = execResult;
      frame.gasUsed = executionGasUsed;
      if (createdAddress !== undefined) frame.to = addressFromBytes(createdAddress.bytes);
      if (returnValue.length > 0 && (failure === undefined || failure.error === 'revert'))
        frame.output = returnValue;
      if (failure === undefined) return;
      frame.error = failure.error;
      // It was announced, failed, and ended its frame with that.
      if (frame.calls?.at(-1)?.type === 'SELFDESTRUCT') frame.calls.pop();
      if (frame.calls?.length === 0) delete frame.calls;
      if (frame.type.startsWith('CREATE')) delete frame.to;
    },
  });
  return top as CallFrame;
}
