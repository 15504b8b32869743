import { abisFor, type KeptAbi } from '../../abi/kept-abi.js';
import { useKeptAbis } from '../../abi/kept-abis.js';
import { readLog } from '../../abi/readings.js';
import type { Log } from '../../api/shapes.js';
import { count } from '../../parts/format.js';
import { Facts } from '../../parts/facts.js';
import { AddressLink } from '../../parts/link.js';
import { Readings } from '../contracts/readings.js';

/** Logs as they are, and what they mean by the ABI files of their contracts. */
export function LogEntries({ logs }: { readonly logs: readonly Log[] }) {
  const abis = useKeptAbis();
  return logs.map((log) => <LogEntry key={log.logIndex} log={log} abis={abis} />);
}

function LogEntry({ log, abis }: { readonly log: Log; readonly abis: readonly KeptAbi[] }) {
  return (
    <Facts
      of={{
        Log: count(log.logIndex),
        Contract: <AddressLink address={log.address} />,
        Event:
          abis.length === 0 ? undefined : (
            <Readings
              of={readLog(abisFor(abis, log.address), log)}
              none="No ABI file that is used for the contract has this event."
            />
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
