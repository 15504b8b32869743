import type { KeptAbi } from '../../abi/kept-abi.js';
import { meaningsOfRevert } from '../../abi/meanings.js';
import { Readings } from './readings.js';

/**
 * What a call that failed returned, and what it means.
 * @param props.abis - of the contract that was called
 */
export function RevertData({ data, abis }: { readonly data: string; readonly abis: readonly KeptAbi[] }) {
  if (data === '0x')
    return (
      <p className="empty">No data: it ran out of gas, met an invalid instruction, or gave no reason.</p>
    );
  return (
    <>
      <Readings
        of={meaningsOfRevert(abis, data)}
        none="Neither a standard nor an ABI file that is used for the contract has this error."
      />
      <code className="bytes">{data}</code>
    </>
  );
}
