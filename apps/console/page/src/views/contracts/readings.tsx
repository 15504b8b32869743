import type { Meaning } from '../../abi/meanings.js';
import { OWN_CONTRACTS } from '../../abi/standard-abis.js';
import { count } from '../../parts/format.js';
import { Values } from './values.js';

/** Readings of one piece of data that are shown. */
const MAX_SHOWN = 8;
/** Files of one reading that are named. */
const MAX_FILES = 5;

/**
 * What data means by the ABI files of the reader, or by standards: each meaning that they give it.
 * @param options.none - what is said without any
 */
export function Readings({
  of,
  none,
}: {
  readonly of: readonly Meaning[];
  readonly none?: string | undefined;
}) {
  if (of.length === 0) return none === undefined ? null : <p className="empty">{none}</p>;
  const isStandard = of[0]?.isStandard === true;
  const possible = of.filter(({ values }) => values !== undefined).length;
  return (
    <div className="readings">
      {possible > 1 && (
        <p className="stale">
          {isStandard ? 'Standards' : 'The ABI files'} give this {count(possible)} meanings; the data does not
          say which is right.
        </p>
      )}
      {of.slice(0, MAX_SHOWN).map((reading, index) => (
        <OneReading key={index} reading={reading} />
      ))}
      {of.length > MAX_SHOWN && <p>{count(of.length - MAX_SHOWN)} further meanings are not shown.</p>}
    </div>
  );
}

export function OneReading({ reading }: { readonly reading: Meaning }) {
  const { title, by, values, remark } = reading;
  return (
    <div>
      <strong>
        <code>
          <bdi>{title.length > 300 ? `${title.slice(0, 300)}…` : title}</bdi>
        </code>
      </strong>{' '}
      <By files={by} isStandard={reading.isStandard === true} />
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

/** Where a meaning is from: neither files nor standards are checked against the contract. */
function By({ files, isStandard }: { readonly files: readonly string[]; readonly isStandard: boolean }) {
  if (files.length === 0) return <small>of every Solidity contract</small>;
  const isOwn = files.every((file) => OWN_CONTRACTS.has(file));
  return (
    <small>
      {isStandard ? (isOwn ? 'of the contracts of this product:' : 'by the standard') : 'by the ABI file'}{' '}
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
