import { useState, type FormEvent } from 'react';
import { AbiFault } from '../../abi/abi-fault.js';
import type { StorageLayout } from '../../abi/storage-layout.js';
import { placesUnder, type Opened } from '../../abi/storage-keys.js';
import type { Place } from '../../abi/storage-places.js';
import { useStoredValues, type StorageOf } from '../../api/storage-queries.js';
import { Loaded } from '../../parts/loaded.js';

/** Entries of one mapping or array that are open at a time. */
const MAX_OPEN = 20;

interface Shown {
  readonly of: StorageOf;
  readonly layout: StorageLayout;
}

/** Variables with what is in them; mappings and arrays are opened by key. */
export function StoredPlaces({ of, layout, places }: Shown & { readonly places: readonly Place[] }) {
  const query = useStoredValues(of, places);
  if (places.length === 0) return <p className="empty">The layout has no variable here.</p>;
  return (
    <Loaded query={query}>
      {(values) => (
        <ul className="values">
          {values.map(({ place, shown }, index) => (
            <li key={index}>
              <bdi>{place.label}</bdi>{' '}
              <small>
                <bdi>{place.type.label}</bdi>
              </small>
              {shown !== undefined && (
                <>
                  {': '}
                  <bdi>{shown}</bdi>
                </>
              )}
              {(place.kind === 'mapping' || place.kind === 'array') && (
                <Keyed of={of} layout={layout} place={place} />
              )}
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
}

/** The entries of a mapping or an array that the reader asks for. */
function Keyed({ of, layout, place }: Shown & { readonly place: Place }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [open, setOpen] = useState<readonly Opened[]>([]);
  const show = (event: FormEvent) => {
    event.preventDefault();
    try {
      const opened = placesUnder(layout, place, text);
      setOpen([opened, ...open.filter(({ label }) => label !== opened.label)].slice(0, MAX_OPEN));
      setProblem(undefined);
    } catch (error) {
      if (!(error instanceof AbiFault)) throw error;
      setProblem(error.message);
    }
  };
  return (
    <>
      <form className="inline" onSubmit={show}>
        <input
          type="text"
          aria-label={`${place.kind === 'mapping' ? 'Key' : 'Index'} of ${place.label}`}
          placeholder={place.kind === 'mapping' ? 'Key' : 'Index'}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit">Show</button>
        <span role="status">
          <bdi>{problem}</bdi>
        </span>
      </form>
      {open.map(({ label, places }) => (
        <StoredPlaces key={label} of={of} layout={layout} places={places} />
      ))}
    </>
  );
}
