import type { Enclave } from '../enclave/enclave.js';
import type { CompletenessStore } from '../store/completeness-store.js';
import type { Completeness } from './completeness.js';
import { isSamePosition, isSetBack, readMark, writeMark, type PayloadPosition } from './payload-mark.js';

/**
 * Notices that the database was set back behind the manager's back: by a snapshot of its disk, or a standby that lost
 * commits. Peers keep a mark of how far it was, and return it before they take the next one.
 */
export class PayloadMarks {
  private newest: { readonly position: PayloadPosition; readonly mark: string } | undefined;

  constructor(
    private readonly parts: {
      readonly store: Pick<CompletenessStore, 'position'>;
      readonly completeness: Pick<Completeness, 'isSettled' | 'setBack' | 'noteEpoch'>;
      readonly enclave: Enclave;
    },
  ) {}

  /** The mark that peers may keep; undefined while it is not known that nothing is missing. */
  async current(): Promise<string | undefined> {
    const { store, completeness, enclave } = this.parts;
    if (!completeness.isSettled) return undefined;
    const position = await store.position();
    if (position === undefined) return undefined;
    const { newest } = this;
    if (newest !== undefined && isSetBack(position, newest.position)) {
      await completeness.noteEpoch(newest.position.sinceMs);
      await completeness.setBack('its database is older than it was');
      return undefined;
    }
    // The same again, so that a peer has nothing to write.
    if (newest !== undefined && isSamePosition(position, newest.position)) return newest.mark;
    const mark = writeMark(position, enclave);
    this.newest = { position, mark };
    return mark;
  }

  /** Looks at the mark that a peer kept. */
  async check(header: string, url: string): Promise<void> {
    const { store, completeness, enclave } = this.parts;
    const once = readMark(header, enclave);
    if (once === undefined) return;
    const position = await store.position();
    // Stored before anything follows from it: what the operator declares afterwards ends what this mark can say.
    if (position === undefined || position.sinceMs < once.sinceMs) await completeness.noteEpoch(once.sinceMs);
    if (completeness.isSettled && position !== undefined && isSetBack(position, once))
      await completeness.setBack(`its database is older than it was when ${url} heard of it last`);
  }
}
