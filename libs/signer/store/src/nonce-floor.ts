import { qualified } from '@tetrad/db/client';
import { nonceSequence } from './generated/tables.js';

const { privacyGroup, knownFrom, minedCount } = qualified(nonceSequence).columns;

/**
 * Lowest nonce that a lower count of the client may lead a sequence to: below it transactions of ours may be signed that
 * have no row. Those of private transactions are not put back, so that a mined nonce counts as such.
 */
export const FLOOR = `CASE WHEN ${privacyGroup} = '' THEN ${knownFrom} ELSE ${minedCount} END`;
