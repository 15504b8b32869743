import { openMeasuredDatabase, reportRowCosts, type ComparedStatement } from '@tetrad/testkit';
import {
  findFlatRoot,
  findIdentity,
  findPrivateHead,
  findRecord,
  hasStateHistory,
  listCandidates,
} from '../../src/hot/read-at-start.js';
import { measureAgreement } from './measure-agreement.js';
import { measureBlocks, measurePool, measureReads } from './measure-chain.js';
import { measureFollowing, measureResults } from './measure-private.js';
import { measureStates, measureValidators } from './measure-state.js';
import { anyAddress } from './sample-rows.js';
import { storesOf, type Stores } from './stores.js';

/** Before anything else, as the client is loaded here. */
function measureStart({ database: { pool }, byClient }: Stores): ComparedStatement {
  return {
    statement: 'read-at-start',
    rows: 6,
    isFirst: true,
    client: byClient(async (calls) => {
      await calls.chain.findUnique({ where: { id: 1 } });
      await calls.flatStateHead.findUnique({ where: { id: 1 } });
      await calls.stateHistory.findUnique({ where: { id: 1 } });
      await calls.validatorCandidate.findMany();
      await calls.consensusRecord.findUnique({ where: { validator: Buffer.alloc(20) } });
      await calls.privateHead.findUnique({ where: { id: 1 } });
    }),
    async sql() {
      for (const read of [findIdentity, findFlatRoot, hasStateHistory, listCandidates, findPrivateHead])
        await read(pool);
      await findRecord(pool, anyAddress());
    },
  };
}

const stores = storesOf(await openMeasuredDatabase('node'));
const compared = [measureStart(stores)];
for (const measure of [
  measureBlocks,
  measureStates,
  measurePool,
  measureReads,
  measureValidators,
  measureFollowing,
  measureResults,
  measureAgreement,
])
  compared.push(...(await measure(stores)));

/** Each statement of `hot/` beside the calls of the client that do the same. */
await reportRowCosts(compared);
await stores.client.close();
await stores.database.close();
