import { useState } from 'react';
import { abisFor } from '../../abi/kept-abi.js';
import { useKeptAbis } from '../../abi/kept-abis.js';
import { titleOf } from '../../abi/readings.js';
import { isolated } from '../../parts/format.js';
import type { OfContract, Offered } from './offered-call.js';
import { ReadCall } from './read-call.js';
import { WriteCall } from './write-call.js';

/** Functions that are listed of each kind. */
const MAX_FUNCTIONS = 1_000;

/** Calls of a contract by its ABI files: those that read, and those that write. */
export function ContractCalls(props: OfContract) {
  const offered = abisFor(useKeptAbis(), props.address).flatMap(({ by, contract }) =>
    contract.abi.functions.map((entry): Offered => ({ entry, by })),
  );
  const reads = offered.filter(({ entry }) => entry.isRead);
  const writes = offered.filter(({ entry }) => !entry.isRead);
  return (
    <>
      <section aria-labelledby="reads">
        <h2 id="reads">Read</h2>
        <Choice
          of={reads}
          label="Function to read"
          none="No ABI file of this contract has a function that reads."
        >
          {(one) => <ReadCall {...props} offered={one} />}
        </Choice>
      </section>
      <section aria-labelledby="writes">
        <h2 id="writes">Write</h2>
        <Choice
          of={writes}
          label="Function to call"
          none="No ABI file of this contract has a function that writes."
        >
          {(one) => <WriteCall {...props} offered={one} />}
        </Choice>
      </section>
    </>
  );
}

/** Chooses a function, whose form is new for each. */
function Choice(props: {
  readonly of: readonly Offered[];
  readonly label: string;
  readonly none: string;
  readonly children: (offered: Offered) => React.ReactNode;
}) {
  const [chosen, setChosen] = useState('');
  const { of, label, none, children } = props;
  if (of.length === 0) return <p className="empty">{none}</p>;
  const options = of.slice(0, MAX_FUNCTIONS).map((one, at) => ({ one, key: `${at} ${one.by}` }));
  const { one, key } = options.find((option) => option.key === chosen) ?? (options[0] as (typeof options)[0]);
  return (
    <>
      <p>
        <label>
          {label}{' '}
          <select className="wide" value={key} onChange={({ target }) => setChosen(target.value)}>
            {options.map((option) => (
              <option key={option.key} value={option.key}>
                {isolated(titleOf(option.one.entry).slice(0, 200))}
              </option>
            ))}
          </select>
        </label>{' '}
        <small>
          <code>{one.entry.selector}</code> by the ABI file <bdi>{one.by}</bdi>
        </small>
      </p>
      <div key={key}>{children(one)}</div>
    </>
  );
}
