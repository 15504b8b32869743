import type { IncomingHttpHeaders } from 'node:http';

/** Header of answers to announcements, and to `GET /version/api` for nodes: the manager carries party messages. */
export const MESSAGES_HEADER = 'tetrad-party-messages';

/** Which managers carry party messages, as they said in the answer to our last announcement. */
export class PeerAbilities {
  private readonly carriers = new Map<string, boolean>();

  /**
   * @param answers - headers of the answers, by the URL of the manager
   * @param known - URLs of all managers that are known; what others said is forgotten
   */
  hear(answers: ReadonlyMap<string, IncomingHttpHeaders>, known: readonly string[]): void {
    const kept = new Set(known);
    for (const url of [...this.carriers.keys()]) if (!kept.has(url)) this.carriers.delete(url);
    for (const [url, headers] of answers) this.carriers.set(url, headers[MESSAGES_HEADER] === '1');
  }

  /**
   * @param url - of a manager; ends with `/`
   * @returns undefined for a manager that has not answered since the start
   */
  carriesMessages(url: string): boolean | undefined {
    return this.carriers.get(url);
  }
}
