import { abisFor, type KeptAbi } from '../../abi/kept-abi.js';
import { useKeptAbis } from '../../abi/kept-abis.js';
import { meaningsOfLog } from '../../abi/meanings.js';
import { loggedAmount } from '../../abi/token.js';
import type { Log } from '../../api/shapes.js';
import { count } from '../../parts/format.js';
import { Facts } from '../../parts/facts.js';
import { AddressLink } from '../../parts/link.js';
import { Readings } from '../contracts/readings.js';
import { TokenAmount } from '../contracts/token-facts.js';

/** Contracts of one list that are asked what their units are. */
const MAX_ASKED = 20;

/**
 * Logs as they are, and what they mean.
 * @param props.node - where contracts are asked for the units of amounts; undefined where they are not
 */
export function LogEntries(props: { readonly logs: readonly Log[]; readonly node?: string | undefined }) {
  const { logs, node } = props;
  const abis = useKeptAbis();
  const asked = new Set([...new Set(logs.map(({ address }) => address))].slice(0, MAX_ASKED));
  return logs.map((log) => (
    <LogEntry key={log.logIndex} log={log} abis={abis} node={asked.has(log.address) ? node : undefined} />
  ));
}

function LogEntry(props: {
  readonly log: Log;
  readonly abis: readonly KeptAbi[];
  readonly node: string | undefined;
}) {
  const { log, abis, node } = props;
  return (
    <Facts
      of={{
        Log: count(log.logIndex),
        Contract: <AddressLink address={log.address} />,
        Event: <EventMeaning log={log} abis={abis} />,
        Amount:
          node === undefined || loggedAmount(log) === undefined ? undefined : (
            <TokenAmount node={node} log={log} />
          ),
        Topics: (
          <ol className="topics">
            {log.topics.map((topic, index) => (
              <li key={index}>
                <code>{topic}</code>
              </li>
            ))}
          </ol>
        ),
        Data: <code className="bytes">{log.data}</code>,
      }}
    />
  );
}

function EventMeaning({ log, abis }: { readonly log: Log; readonly abis: readonly KeptAbi[] }) {
  const meanings = meaningsOfLog(abisFor(abis, log.address), log);
  const none =
    abis.length === 0
      ? 'No standard has this event, and no ABI file was added.'
      : 'No ABI file that is used for the contract has this event.';
  return <Readings of={meanings} none={none} />;
}
