import type { IncomingHttpHeaders } from 'node:http';

/** Header of answers to announcements, and to `GET /version/api` for nodes: the manager carries party messages. */
export const MESSAGES_HEADER = 'tetrad-party-messages';

/** Header beside that one: the manager takes several messages in one request. */
export const GROUPED_MESSAGES_HEADER = 'tetrad-message-groups';

/** What that header says. */
export const MESSAGE_GROUPS_VERSION = '1';

interface Abilities {
  readonly carriesMessages: boolean;
  readonly takesGroups: boolean;
}

/** Which managers carry party messages, as they said in the answer to our last announcement. */
export class PeerAbilities {
  private readonly said = new Map<string, Abilities>();

  /**
   * @param answers - headers of the answers, by the URL of the manager
   * @param known - URLs of all managers that are known; what others said is forgotten
   */
  hear(answers: ReadonlyMap<string, IncomingHttpHeaders>, known: readonly string[]): void {
    const kept = new Set(known);
    for (const url of [...this.said.keys()]) if (!kept.has(url)) this.said.delete(url);
    for (const [url, headers] of answers) {
      const takesGroups = headers[GROUPED_MESSAGES_HEADER] === MESSAGE_GROUPS_VERSION;
      this.said.set(url, { carriesMessages: headers[MESSAGES_HEADER] === '1', takesGroups });
    }
  }

  /**
   * @param url - of a manager; ends with `/`
   * @returns undefined for a manager that has not answered since the start
   */
  carriesMessages(url: string): boolean | undefined {
    return this.said.get(url)?.carriesMessages;
  }

  /** Whether the manager of the URL takes several messages in one request, as far as is known. */
  takesGroups(url: string): boolean {
    return this.said.get(url)?.takesGroups === true;
  }
}
