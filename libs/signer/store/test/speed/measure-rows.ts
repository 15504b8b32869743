import { openMeasuredDatabase, reportRowCosts } from '@tetrad/testkit';
import { SIGNER_DATABASE_SETTINGS } from '../../src/signer-store.js';
import { comparedKeys } from './compared-keys.js';
import { comparedLists } from './compared-lists.js';
import { comparedPasses } from './compared-passes.js';
import { comparedSends } from './compared-sends.js';
import { fillSigner } from './filled-signer.js';

/** A program: `measure-rows.js URL REPORT`. Each statement of `hot/` beside the calls of the client that do the same. */
const database = await openMeasuredDatabase('signer', SIGNER_DATABASE_SETTINGS);
const filled = await fillSigner(database);

await reportRowCosts([
  ...(await comparedSends(filled)),
  ...(await comparedPasses(filled)),
  ...(await comparedKeys(filled)),
  ...(await comparedLists(filled)),
]);

await filled.close();
await database.close();
