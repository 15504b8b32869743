import { Writable } from 'node:stream';
import { connectDatabase, type Database } from '@tetrad/db';
import { DemandWatch, FreezeCallers, readConsents } from '@tetrad/rollup-batcher';
import { SizedProvers } from '@tetrad/rollup-circuits';
import {
  EthereumClient,
  RollupCodec,
  RollupReader,
  deployRollup,
  publishedBatch,
  type RollupEvent,
} from '@tetrad/rollup-chain';
import { encodePoint, multiplyGenerator, rollupDomain } from '@tetrad/rollup-crypto';
import { Sequencer, decodeProvingInput } from '@tetrad/rollup-sequencer';
import { openRollupStore, type RollupStore } from '@tetrad/rollup-store';
import { createLogger, createMetrics, loadConfig, parseCommandLine } from '@tetrad/service';
import { createTestDatabase } from '@tetrad/testkit';
import { hexFromBytes, parseAddress, parseHash, type Address } from '@tetrad/types';
import { composeRollupOperator } from '../../rollup-operator/src/compose.js';
import { operatorOptions } from '../../rollup-operator/src/config.js';
import { requestedRow } from '../../../libs/rollup/batcher/src/requested-row.js';
import { startStatedChain, type StatedChain } from '../../../libs/rollup/chain/test/stated-chain.js';
import { statedProof } from '../../../libs/rollup/chain/test/stated-proofs.js';

export const OPERATOR_KEY = multiplyGenerator(4711n);
export const UNIT = 1_000_000_000n;
const SIZE = 2;

/**
 * The API of an operator over HTTP, with a separate database and a contract on anvil; batches are made on demand. Their circuits are
 * executed, and their public inputs stated in place of proofs: what clients do is the subject, and a proof takes seconds of CPU.
 */
export interface OperatorOnAnvil {
  readonly url: string;
  readonly chain: StatedChain;
  readonly contract: Address;
  readonly store: RollupStore;
  readonly database: Database;
  readonly databaseUrl: string;
  /**
   * Executes what was accepted, and what the contract was asked for, states what a proof would prove, submits it, and has it final.
   * @returns height of the last batch
   */
  finalize(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * @param given - a chain that is there already, and stays
 * @param more - options of the service
 */
export async function startOperatorOnAnvil(
  given?: StatedChain,
  more: readonly string[] = [],
): Promise<OperatorOnAnvil> {
  const testDatabase = await createTestDatabase('rollup-operator');
  const [chain, codec] = [given ?? (await startStatedChain()), new RollupCodec()];
  const provers = new SizedProvers();
  // Not beside the database: loading the prover holds up everything else, and connections may not be held up for long.
  await provers.open(SIZE);
  const [operator] = chain.accounts as [Address];
  const contract = await deployRollup(chain.create, {
    operator,
    operatorKey: OPERATOR_KEY,
    stallTimeoutSeconds: 3600,
    etherUnit: UNIT,
    sizes: [SIZE],
  });
  const database = await connectDatabase({ url: testDatabase.url, poolSize: 3 });
  const store = openRollupStore(database);
  const service = await compose(testDatabase.url, [
    '--chain-id',
    String(chain.chainId),
    '--contract',
    contract,
    '--operator-key',
    hexFromBytes(encodePoint(OPERATOR_KEY)),
    // Tests pay a few units.
    '--min-order-amount',
    '1',
    '--min-transfer-amount',
    '1',
    ...more,
  ]);
  const domain = rollupDomain(chain.chainId, contract);
  const sequencer = new Sequencer(store, { domain, batchSize: SIZE });
  const client = new EthereumClient({ url: chain.url, timeoutMs: 60_000 });
  const reader = new RollupReader(client, codec, contract);
  const asked = { to: contract, data: codec.encodeCall('verifiers', [SIZE]) };
  const verifier = await chain.ask<string>('eth_call', [asked, 'latest']);
  await chain.stateProofs(parseAddress(`0x${verifier.slice(-40)}`));
  await readConsents(reader, store);
  const callers = new FreezeCallers({ client, codec, contract, store, fromBlock: 0 });
  const watch = new DemandWatch({ store, reader, callers });
  const parts: Parts = { chain, contract, codec, provers, store, sequencer, watch };
  await follow(parts);
  return {
    url: service.url,
    chain,
    contract,
    store,
    database,
    databaseUrl: testDatabase.url,
    finalize: () => finalize(parts),
    async stop() {
      await service.stop();
      await client.close();
      await database.close();
      await testDatabase.drop();
      await provers.close();
      if (given === undefined) await chain.stop();
    },
  };
}

interface Parts {
  readonly chain: StatedChain;
  readonly contract: Address;
  readonly codec: RollupCodec;
  readonly provers: SizedProvers;
  readonly store: RollupStore;
  readonly sequencer: Sequencer;
  readonly watch: DemandWatch;
}

interface MinedLog {
  readonly topics: string[];
  readonly data: string;
  readonly blockNumber: string;
  readonly logIndex: string;
}

interface MinedEvent {
  readonly event: RollupEvent | undefined;
  readonly blockNumber: number;
  readonly logIndex: number;
}

/** Copies the state of the contract to the store. */
async function follow({ chain, contract, codec, store, sequencer }: Parts): Promise<void> {
  const head = await chain.ask<{ number: string; hash: string }>('eth_getBlockByNumber', ['latest', false]);
  const filter = { address: contract, fromBlock: '0x0', toBlock: head.number };
  const events = (await chain.ask<MinedLog[]>('eth_getLogs', [filter])).map((log) => ({
    event: codec.parseLog(log),
    blockNumber: Number(log.blockNumber),
    logIndex: Number(log.logIndex),
  }));
  await store.advanceChain(
    {
      tokens: events.flatMap(({ event, blockNumber }) =>
        event?.kind === 'token' ? [{ ...event, address: event.token, blockNumber }] : [],
      ),
      deposits: events.flatMap(({ event, blockNumber }) =>
        event?.kind === 'inbound' ? [{ ...event, sender: event.from, blockNumber }] : [],
      ),
      requests: [],
      requested: requestedRows(events, sequencer.domain),
      batches: events.flatMap(({ event }) => (event?.kind === 'batch' ? [event.height] : [])),
    },
    [{ number: Number(head.number), hash: parseHash(head.hash) }],
  );
}

/** What holders have asked the contract for. */
function requestedRows(events: readonly MinedEvent[], domain: bigint) {
  let height = 0;
  return events.flatMap(({ event, ...place }) => {
    if (event?.kind === 'batch') height = event.height;
    const isRequest = event?.kind === 'transferRequested' || event?.kind === 'redemptionRequested';
    return isRequest ? [requestedRow(event, { ...place, height }, domain)] : [];
  });
}

async function finalize(parts: Parts): Promise<number> {
  const { store, sequencer, watch } = parts;
  await follow(parts);
  while (await watch.step());
  for (;;) {
    const { executed, rejected, sealed } = await sequencer.executePending({ requests: watch.served });
    if (executed + rejected + sealed.length === 0) break;
  }
  await sequencer.sealOpenBatch();
  while ((await sequencer.assembleNext()) !== undefined);
  const { assembledHeight } = await store.readHead();
  for (let height = (await store.finalHeight()) + 1; height <= assembledHeight; height += 1)
    await submit(parts, height);
  return assembledHeight;
}

async function submit({ chain, contract, codec, provers, store }: Parts, height: number): Promise<void> {
  const proving = await store.readProving(height);
  if (proving === undefined) throw new Error(`batch ${height} is not assembled`);
  const { witness, ciphertexts } = decodeProvingInput(proving);
  const { proof } = await statedProof(provers, witness);
  const data = codec.encodeSubmitBatch(publishedBatch(witness.publicInputs, ciphertexts), proof);
  await chain.send({ from: chain.accounts[0] as Address, to: contract, data });
  const head = await chain.ask<{ number: string; hash: string }>('eth_getBlockByNumber', ['latest', false]);
  const block = { blockNumber: Number(head.number), blockHash: parseHash(head.hash) };
  const states = ['sealed', 'proving', 'proven', 'submitted', 'final'] as const;
  for (const [index, from] of states.slice(0, -1).entries()) {
    const state = states[index + 1] as (typeof states)[number];
    await store.changeBatch({ height, from }, { state, ...(state === 'final' ? block : {}) });
  }
}

function compose(databaseUrl: string, identity: readonly string[]) {
  const ports = ['--http-listen-port', '0', '--ops-listen-port', '0', '--check-workers', '1'];
  const config = loadConfig({
    service: 'rollup-operator',
    options: operatorOptions,
    commandLine: parseCommandLine([...ports, ...identity, '--roles', 'api'], operatorOptions),
    environment: { TETRAD_ROLLUP_OPERATOR_DATABASE_URL: databaseUrl },
  });
  const stream = new Writable({ write: (_chunk, _encoding, done) => done() });
  return composeRollupOperator(config, {
    name: 'rollup-operator',
    version: '0.0.0',
    tracing: undefined,
    logger: createLogger({ service: 'rollup-operator', level: 'error', stream }),
    metrics: createMetrics({ service: 'rollup-operator', version: '0.0.0' }),
  });
}
