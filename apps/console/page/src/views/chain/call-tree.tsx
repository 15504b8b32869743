import { abisFor, type KeptAbi } from '../../abi/kept-abi.js';
import { useKeptAbis } from '../../abi/kept-abis.js';
import { meaningsOfCall, meaningsOfResult, meaningsOfRevert, type Meaning } from '../../abi/meanings.js';
import { useTrace } from '../../api/queries.js';
import type { Frame } from '../../api/shapes.js';
import { coins, count } from '../../parts/format.js';
import { AddressLink } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { Readings } from '../contracts/readings.js';

/** The calls of a transaction as a tree. */
export function CallTree({ node, hash }: { readonly node: string; readonly hash: string }) {
  const query = useTrace(node, hash, true);
  const abis = useKeptAbis();
  return (
    <Loaded query={query}>
      {({ frames, leftOut }) => (
        <>
          <ul className="tree">
            {frames.map(({ frame, depth }, index) => (
              <li key={index} style={{ marginInlineStart: `${Math.min(depth, 20)}rem` }}>
                <Call frame={frame} abis={abis} />
              </li>
            ))}
          </ul>
          {leftOut > 0 && <p className="empty">{count(leftOut)} further calls are not shown.</p>}
        </>
      )}
    </Loaded>
  );
}

function Call({ frame, abis }: { readonly frame: Frame; readonly abis: readonly KeptAbi[] }) {
  return (
    <>
      <strong>{frame.type}</strong>{' '}
      {frame.to === undefined ? 'a new contract' : <AddressLink address={frame.to} />}
      {frame.value !== undefined && frame.value > 0n && `, value ${coins(frame.value)}`}
      {frame.gasUsed !== undefined && `, gas ${count(frame.gasUsed)}`}{' '}
      {frame.error !== undefined && (
        <span className="badge bad">
          <bdi>{frame.error}</bdi>
        </span>
      )}
      <Meanings frame={frame} abis={abisFor(abis, frame.to)} />
    </>
  );
}

/** Whether the input is code. */
const isCreation = ({ type }: Frame) => type.startsWith('CREATE');

function resultsOf(frame: Frame, abis: readonly KeptAbi[]): readonly Meaning[] {
  const { input = '0x', output = '0x', error } = frame;
  if (error !== undefined) return meaningsOfRevert(abis, output);
  return isCreation(frame) ? [] : meaningsOfResult(abis, { input, output });
}

/** Call data, and what came back. */
function Meanings({ frame, abis }: { readonly frame: Frame; readonly abis: readonly KeptAbi[] }) {
  const { input = '0x', error } = frame;
  const calls = isCreation(frame) ? [] : meaningsOfCall(abis, input);
  const results = resultsOf(frame, abis);
  return (
    <>
      <Readings of={calls} />
      {results.length > 0 && (
        <div>
          {error === undefined ? 'returned' : 'reverted with'} <Readings of={results} />
        </div>
      )}
    </>
  );
}
