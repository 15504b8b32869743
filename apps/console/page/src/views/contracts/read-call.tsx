import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { AbiFault } from '../../abi/abi-fault.js';
import { encodeCall } from '../../abi/arguments.js';
import { abisFor } from '../../abi/kept-abi.js';
import { useKeptAbis } from '../../abi/kept-abis.js';
import { meaningsOfRevert } from '../../abi/meanings.js';
import { readReturned } from '../../abi/readings.js';
import { blockIdOf, executeCall, type CallOutcome } from '../../api/contract-queries.js';
import { Bytes } from '../../parts/bytes.js';
import { reasonOf } from '../../parts/loaded.js';
import { CallInputs } from './call-inputs.js';
import type { OfContract, Offered } from './offered-call.js';
import { OneReading, Readings } from './readings.js';

/** A form that calls a function at the node that is asked, without sending anything. */
export function ReadCall({ node, address, offered }: OfContract & { readonly offered: Offered }) {
  const [texts, setTexts] = useState<readonly string[]>([]);
  const [from, setFrom] = useState('');
  const [block, setBlock] = useState('latest');
  const read = useMutation({
    mutationFn: async () => {
      const { id, sender } = readPlace(block, from);
      const data = encodeCall(offered.entry, texts);
      return { node, outcome: await executeCall(node, { from: sender, to: address, data }, id) };
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    read.mutate();
  };
  return (
    <>
      <form className="question" onSubmit={submit}>
        <CallInputs params={offered.entry.inputs} texts={texts} onChange={setTexts} />
        <TextInput label="Sender, if it matters" value={from} onChange={setFrom} />
        <TextInput label="Block (a number or a tag)" value={block} onChange={setBlock} />
        <button type="submit" disabled={read.isPending}>
          Read
        </button>
      </form>
      <div aria-live="polite">
        {read.error !== null && (
          <p className="failed">
            <bdi>{problemOf(read.error)}</bdi>
          </p>
        )}
        {read.data !== undefined && (
          <>
            <p className="empty">
              As <bdi>{read.data.node}</bdi> sees it:
            </p>
            <Outcome of={read.data.outcome} offered={offered} address={address} />
          </>
        )}
      </div>
    </>
  );
}

/**
 * At which block and from whom a call is executed, as the reader has written it.
 * @throws AbiFault
 */
function readPlace(block: string, from: string) {
  const id = blockIdOf(block);
  if (id === undefined) throw new AbiFault('block', 'must be a number or a tag');
  const sender = from.trim() === '' ? undefined : from.trim();
  if (sender !== undefined && !/^0x[0-9a-f]{40}$/i.test(sender))
    throw new AbiFault('sender', 'must be an address');
  return { id, sender };
}

/** What is wrong with an input, or why there is no answer. */
export const problemOf = (error: unknown): string =>
  error instanceof AbiFault ? error.message : reasonOf(error);

/** What a call comes to: its results or its error, decoded and raw. */
export function Outcome(props: {
  readonly of: CallOutcome;
  readonly offered: Offered;
  readonly address: string;
}) {
  const { of, offered, address } = props;
  const abis = abisFor(useKeptAbis(), address);
  if (of.kind === 'returned')
    return (
      <>
        <OneReading reading={readReturned(offered, of.data)} />
        <Raw data={of.data} />
      </>
    );
  return (
    <>
      <p className="failed">
        The call fails: <bdi>{of.message}</bdi>
      </p>
      {of.data !== undefined && (
        <>
          <Readings
            of={meaningsOfRevert(abis, of.data)}
            none="No ABI file that is used for the contract has this error."
          />
          <Raw data={of.data} />
        </>
      )}
    </>
  );
}

function TextInput(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const { label, value, onChange } = props;
  return (
    <label>
      {label} <input type="text" value={value} onChange={({ target }) => onChange(target.value)} />
    </label>
  );
}

const Raw = ({ data }: { readonly data: string }) => (
  <details>
    <summary>Raw</summary>
    <Bytes label="Raw bytes">{data}</Bytes>
  </details>
);
