import { RecoveryResult, type RecoveryOutcome } from '@tetrad/transaction-manager';

/**
 * What the operator reads after a recovery: what each peer sent, what is missing, and what follows.
 *
 * @returns lines, the last one ended too
 */
export function recoveryReport(outcome: RecoveryOutcome): string {
  const { answered, incomplete, restored, unchecked, failed, unresolved, missing } = outcome;
  const lacking = incomplete.length + restored.length + unchecked.length + failed.length;
  const lines = [
    ...[...answered, ...unchecked].map((url) => `${url} sent all it has for us`),
    ...incomplete.map((url) => `${url} sent payloads without privacy flags only: ${WITHOUT_BATCHES}`),
    ...restored.map((url) => `${url} sent what it has, and may have lost payloads itself: ${RESTORED}`),
    ...failed.map(({ url, reason }) => `${url} failed: ${reason}`),
    ...(unresolved === 0 ? [] : [`${unresolved} payloads ${whyUnresolved(lacking)}`]),
    ...(lacking === 0 ? [] : missing.map((hash) => `missing: the payload of contract creation ${hash}`)),
    ...unchecked.map((url) => `warning: ${url} ${UNCHECKED}`),
  ];
  if (lines.length === 0) lines.push('no peer is known');
  lines.push(conclusionOf(outcome));
  return `${lines.join('\n')}\n`;
}

const WITHOUT_BATCHES = 'its payloads with privacy flags 1 to 3 are missing here, as it has no /resendBatch';

const RESTORED = 'its database was restored, and its own recovery has to end first';

const UNCHECKED =
  'cannot know whether that is all it ever had: its database began empty, and not all of its peers have said that they ' +
  'hold nothing more for it; its /readyz names them';

const EXECUTE_AGAIN =
  '`tetrad node re-execute-private` names the blocks that the node executed without these payloads, and\n' +
  '`tetrad node re-execute-private --from auto` executes from the first of them on, while the node is stopped';

const COMPLETE = `complete: every peer has sent what it has for the keys of this manager\nstart it; then ${EXECUTE_AGAIN}`;

const RECEIVED =
  'received, with warnings: every peer has sent what it has for the keys of this manager\n' +
  'start it; if it was in doubt, it waits by itself until the peers of the warnings have heard theirs, and names them in /readyz;\n' +
  `then ${EXECUTE_AGAIN}`;

const NOT_COMPLETE =
  'not complete: run it again when the peers above can send what they have; declare-complete says that they have nothing';

/** What follows for the manager, and so for its node. */
function conclusionOf({ result, unchecked }: RecoveryOutcome): string {
  if (result !== RecoveryResult.Success) return NOT_COMPLETE;
  return unchecked.length === 0 ? COMPLETE : RECEIVED;
}

/** @param lacking - managers that did not send all */
function whyUnresolved(lacking: number): string {
  return lacking === 0
    ? 'concern contracts to which no key here is a party'
    : 'wait for contracts that the peers above which did not send all may have: run it again when they can';
}
