import type { Reading } from '../../abi/readings.js';
import { count } from '../../parts/format.js';
import { Values } from './values.js';

/** Readings of one piece of data that are shown. */
const MAX_SHOWN = 8;
/** Files of one reading that are named. */
const MAX_FILES = 5;

/**
 * What data means by the ABI files of the reader: each meaning that they give it.
 * @param options.none - what is said without any
 */
export function Readings({ of, none }: { readonly of: readonly Reading[]; readonly none?: string }) {
  if (of.length === 0) return none === undefined ? null : <p className="empty">{none}</p>;
  const possible = of.filter(({ values }) => values !== undefined).length;
  return (
    <div className="readings">
      {possible > 1 && (
        <p className="stale">
          The ABI files give this {count(possible)} meanings; the data does not say which is right.
        </p>
      )}
      {of.slice(0, MAX_SHOWN).map((reading, index) => (
        <OneReading key={index} reading={reading} />
      ))}
      {of.length > MAX_SHOWN && <p>{count(of.length - MAX_SHOWN)} further meanings are not shown.</p>}
    </div>
  );
}

export function OneReading({ reading: { title, by, values, remark } }: { readonly reading: Reading }) {
  return (
    <div>
      <strong>
        <code>
          <bdi>{title.length > 300 ? `${title.slice(0, 300)}…` : title}</bdi>
        </code>
      </strong>{' '}
      <By files={by} />
      {values === undefined ? (
        <p className="stale">
          It does not match: <bdi>{remark}</bdi>. What is below is raw.
        </p>
      ) : (
        <Values of={values} />
      )}
      {values !== undefined && remark !== undefined && <p className="empty">{remark}.</p>}
    </div>
  );
}

/** Where a meaning is from: files are not checked against the contract. */
function By({ files }: { readonly files: readonly string[] }) {
  if (files.length === 0) return <small>of every Solidity contract</small>;
  return (
    <small>
      by the ABI file{' '}
      {files.slice(0, MAX_FILES).map((file, index) => (
        <span key={file}>
          {index > 0 && '; '}
          <bdi>{file}</bdi>
        </span>
      ))}
      {files.length > MAX_FILES && `; and ${files.length - MAX_FILES} more`}
    </small>
  );
}
