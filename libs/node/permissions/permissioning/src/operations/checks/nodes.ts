import { NODE_STATUS } from '../../records/entries.js';
import { unless, type ActionContext, type Check } from '../action.js';
import { isHostUsable, readEnode } from '../enode-url.js';
import type { ActionRejection } from '../rejection-texts.js';

/** The URL names a node, by a host that the contracts can compare. */
export function nodeIsReadable(url: string): Check {
  return ({ naming }) => {
    const enode = readEnode(url);
    if (enode === undefined) return 'INVALID_NODE';
    return unless(isHostUsable(enode, naming), 'HOST_NAME_NOT_SUPPORTED');
  };
}

/** The node is readable, and neither its URL nor its node id is listed. Holds for an empty URL. */
export function nodeIsNew(url: string): Check {
  return async (context) => {
    if (url === '') return undefined;
    return (await nodeIsReadable(url)(context)) ?? unless(!isListed(context, url), 'NODE_ALREADY_PRESENT');
  };
}

/** The node is readable, listed under exactly that URL, and one of the organization. */
export function nodeIsOf(orgId: string, url: string): readonly Check[] {
  const listed: Check = ({ records }) => unless(records.nodesNamed(url).length > 0, 'NODE_NOT_FOUND');
  const owned: Check = (context) => unless(nodeOf(context, orgId, url) !== undefined, 'NODE_ORG_MISMATCH');
  return [nodeIsReadable(url), listed, owned];
}

/** It is not denylisted, and a status change leads from its status. */
export function nodeMayChange(orgId: string, url: string, action: number): Check {
  return (context) => {
    const status = nodeOf(context, orgId, url)?.status;
    if (status === NODE_STATUS.denylisted) return 'NODE_DENYLISTED';
    return unless(isStep(status, action), 'OPERATION_NOT_ALLOWED');
  };
}

/** It has the status; the reason is a separate one when it is denylisted instead. */
export function nodeHasStatus(
  orgId: string,
  url: string,
  wanted: number,
  whenDenylisted: ActionRejection = 'OPERATION_NOT_ALLOWED',
): Check {
  return (context) => {
    const status = nodeOf(context, orgId, url)?.status;
    if (status === wanted) return undefined;
    return status === NODE_STATUS.denylisted ? whenDenylisted : 'OPERATION_NOT_ALLOWED';
  };
}

function isStep(status: number | undefined, action: number): boolean {
  switch (action) {
    case 1:
      return status === NODE_STATUS.approved;
    case 2:
      return status === NODE_STATUS.deactivated;
    case 3:
      return status !== NODE_STATUS.recovering;
    default:
      return false;
  }
}

function nodeOf({ records }: ActionContext, orgId: string, url: string) {
  return records.nodesNamed(url).find((node) => node.orgId === orgId);
}

function isListed({ records }: ActionContext, url: string): boolean {
  const nodeId = readEnode(url)?.nodeId ?? '';
  return records.nodesNamed(url).length > 0 || records.nodesNamed(nodeId).length > 0;
}
