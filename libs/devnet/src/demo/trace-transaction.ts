import { randomBytes } from 'node:crypto';
import type { CollectedSpan } from '@tetrad/service/trace-collector';
import { callRpc } from './call-rpc.js';
import { assert, type DemoContext } from './demo-context.js';
import { eventually } from './eventually.js';

/** Creates a contract without code; what follows in the data is never executed. */
const CREATE_EMPTY = '60006000f3';
const GAS = '0x15f90';

/**
 * Sends a private transaction through the signer with the trace header of a client, and follows its trace through the
 * signer, the node, both managers and every node that imports its block.
 */
export async function traceTransaction(context: DemoContext): Promise<string> {
  const { network, collector, signerUrl, payloads } = context;
  const { nodes, signer } = network.endpoints;
  const [from, to] = nodes.map(({ ptmKey }) => ptmKey);
  if (from === null || from === undefined || to === null || to === undefined)
    return 'skipped: a trace through managers needs two of them';
  // Most of it is zero, so that every ratio includes it: nodes decide by this id for callers without a token.
  const traceId = randomBytes(2).toString('hex').padStart(32, '0');
  const client = randomBytes(8).toString('hex');
  const data = `${CREATE_EMPTY}${randomBytes(32).toString('hex')}`;
  payloads.push(Buffer.from(data, 'hex'));
  const request = { from: signer?.address, data: `0x${data}`, gas: GAS, gasPrice: '0x0' };
  const privacy = { privateFrom: from, privateFor: [to], restriction: 'restricted' };
  const headers = { traceparent: `00-${traceId}-${client}-01` };
  await callRpc(signerUrl, 'eea_sendTransaction', [{ ...request, ...privacy }], headers);
  const named = (name: string) => collector.trace(traceId).filter((span) => span.name === name);
  await eventually(
    'not every node has recorded the block of the traced transaction',
    async () => named('import block with transaction').length >= nodes.length,
  );
  await eventually('spans of the trace are missing', async () =>
    withoutParent(collector.trace(traceId)).every(({ parentSpanId }) => parentSpanId === client),
  );
  for (const name of ['eea_sendTransaction', 'eea_sendRawTransaction', 'POST /send', 'POST /push'])
    assert(named(name).length > 0, `the trace has no ${name}`);
  const spans = collector.trace(traceId);
  const services = new Set(spans.map(({ service }) => service));
  return `the trace of a private transaction is whole: ${spans.length} spans of ${[...services].sort().join(', ')}`;
}

/** The spans whose parent is not among them. */
function withoutParent(spans: readonly CollectedSpan[]): CollectedSpan[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  return spans.filter(({ parentSpanId }) => !ids.has(parentSpanId));
}
